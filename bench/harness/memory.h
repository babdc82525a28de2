// Page-aligned buffers in huge pages, touched before use, so that no page fault is ever timed.
// Used by: problems.h for frames and matrices, rivals for preallocated intermediates,
// calibrate.cpp.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace hocket::bench {

template <class T>
class Pages {
 public:
  Pages() = default;
  explicit Pages(int64_t count) : bytes_(rounded(static_cast<size_t>(count) * sizeof(T))) {
    // Over-mapped by one huge page so that the start can be aligned to one.
    mapped_bytes_ = bytes_ + kHugePage;
    void* mapped =
        mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    mapped_ = mapped;
    uintptr_t start = (reinterpret_cast<uintptr_t>(mapped) + kHugePage - 1) & ~(kHugePage - 1);
    data_ = reinterpret_cast<T*>(start);
    madvise(data_, bytes_, MADV_HUGEPAGE);
    std::memset(static_cast<void*>(data_), 0, bytes_);
  }
  ~Pages() {
    if (mapped_) munmap(mapped_, mapped_bytes_);
  }
  Pages(Pages&& other) noexcept { swap(other); }
  Pages& operator=(Pages&& other) noexcept {
    swap(other);
    return *this;
  }

  T* data() const { return data_; }
  T& operator[](int64_t i) const { return data_[i]; }
  int64_t bytes() const { return static_cast<int64_t>(bytes_); }

 private:
  static constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
  static size_t rounded(size_t bytes) { return (bytes + kHugePage - 1) & ~(kHugePage - 1); }
  void swap(Pages& other) {
    std::swap(data_, other.data_);
    std::swap(mapped_, other.mapped_);
    std::swap(bytes_, other.bytes_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
  }

  T* data_ = nullptr;
  void* mapped_ = nullptr;
  size_t bytes_ = 0;
  size_t mapped_bytes_ = 0;
};

}  // namespace hocket::bench
