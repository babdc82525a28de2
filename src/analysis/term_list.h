// A list of terms that holds the first few in place: most forms have one to four.
// Called by: affine.h, for Affine::terms().
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace hocket::analysis {

template <class T, std::size_t kInline>
class TermList {
 public:
  TermList() = default;
  TermList(const TermList& other) { assign(other); }
  TermList(TermList&& other) noexcept { take(other); }
  ~TermList() { release(); }
  TermList& operator=(const TermList& other) {
    if (this != &other) {
      clear();
      assign(other);
    }
    return *this;
  }
  TermList& operator=(TermList&& other) noexcept {
    if (this != &other) {
      release();
      take(other);
    }
    return *this;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T& front() const { return data_[0]; }

  void reserve(std::size_t n) {
    if (n > capacity_) grow(n);
  }
  void push_back(T value) {
    if (size_ == capacity_) grow(2 * capacity_);
    new (data_ + size_) T(std::move(value));
    size_++;
  }
  void erase_at(std::size_t i) {
    for (; i + 1 < size_; i++) data_[i] = std::move(data_[i + 1]);
    data_[--size_].~T();
  }
  void clear() {
    std::destroy_n(data_, size_);
    size_ = 0;
  }

 private:
  bool in_place() const { return data_ == reinterpret_cast<const T*>(place_); }
  T* place() { return reinterpret_cast<T*>(place_); }

  void assign(const TermList& other) {
    reserve(other.size_);
    std::uninitialized_copy_n(other.data_, other.size_, data_);
    size_ = other.size_;
  }
  // From a list that holds nothing of its own.
  void take(TermList& other) {
    if (other.in_place()) {
      data_ = place();
      capacity_ = kInline;
      std::uninitialized_move_n(other.data_, other.size_, data_);
      size_ = other.size_;
      other.clear();
    } else {
      data_ = std::exchange(other.data_, other.place());
      size_ = std::exchange(other.size_, 0);
      capacity_ = std::exchange(other.capacity_, kInline);
    }
  }
  void grow(std::size_t n) {
    T* bigger = std::allocator<T>().allocate(n);
    std::uninitialized_move_n(data_, size_, bigger);
    std::destroy_n(data_, size_);
    if (!in_place()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = bigger;
    capacity_ = n;
  }
  void release() {
    clear();
    if (!in_place()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = place();
    capacity_ = kInline;
  }

  alignas(T) unsigned char place_[kInline * sizeof(T)];
  T* data_ = place();
  std::size_t size_ = 0;
  std::size_t capacity_ = kInline;
};

}  // namespace hocket::analysis
