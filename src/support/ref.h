// Shared ownership of immutable nodes, with the count inside the node.
// In: objects of classes derived from RefCounted, made by make_ref. Out: Ref<T>, one pointer wide;
// copies from several threads are safe. A Ref may be null. Used by: ir nodes and whatever else is
// shared structurally.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace hocket::support {

class RefCounted {
 public:
  RefCounted() = default;
  // A copy is a new object: it starts with no owners.
  RefCounted(const RefCounted&) {}
  RefCounted& operator=(const RefCounted&) { return *this; }
  virtual ~RefCounted() = default;

  void acquire() const { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  // Exact only while no other thread copies or drops a Ref to this object.
  std::uint32_t use_count() const { return count_.load(std::memory_order_acquire); }

 private:
  mutable std::atomic<std::uint32_t> count_{0};
};

// T may be incomplete wherever a Ref is only held, copied or dropped.
template <class T>
class Ref {
 public:
  using element_type = T;

  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T* object) : counted_(object) { acquire(); }
  Ref(const Ref& other) : counted_(other.counted_) { acquire(); }
  Ref(Ref&& other) noexcept : counted_(std::exchange(other.counted_, nullptr)) {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  Ref(const Ref<U>& other) : counted_(other.counted_) {
    acquire();
  }
  template <class U>
    requires std::is_convertible_v<U*, T*>
  Ref(Ref<U>&& other) noexcept : counted_(std::exchange(other.counted_, nullptr)) {}
  ~Ref() {
    if (counted_ != nullptr) counted_->release();
  }

  Ref& operator=(Ref other) noexcept {
    std::swap(counted_, other.counted_);
    return *this;
  }

  T* get() const { return static_cast<T*>(const_cast<RefCounted*>(counted_)); }
  T* operator->() const { return get(); }
  T& operator*() const { return *get(); }
  explicit operator bool() const { return counted_ != nullptr; }

  friend bool operator==(const Ref& a, const Ref& b) { return a.counted_ == b.counted_; }
  friend bool operator==(const Ref& a, std::nullptr_t) { return a.counted_ == nullptr; }

 private:
  template <class U>
  friend class Ref;
  friend struct std::hash<Ref>;

  void acquire() const {
    if (counted_ != nullptr) counted_->acquire();
  }

  const RefCounted* counted_ = nullptr;
};

template <class T, class... Args>
Ref<T> make_ref(Args&&... args) {
  return Ref<T>(new T(std::forward<Args>(args)...));
}

// The same object seen as another class of its tree; the caller knows that it is one.
template <class T, class U>
Ref<T> static_ref_cast(const Ref<U>& ref) {
  return Ref<T>(static_cast<T*>(ref.get()));
}

}  // namespace hocket::support

template <class T>
struct std::hash<hocket::support::Ref<T>> {
  std::size_t operator()(const hocket::support::Ref<T>& ref) const noexcept {
    return std::hash<const hocket::support::RefCounted*>()(ref.counted_);
  }
};
