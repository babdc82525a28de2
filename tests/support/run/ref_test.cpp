#include "support/ref.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace hocket::support {
namespace {

struct Node : RefCounted {
  explicit Node(int* alive) : alive_(alive) { ++*alive_; }
  ~Node() override { --*alive_; }
  int* alive_;
};

struct Leaf : Node {
  using Node::Node;
};

TEST(Ref, LastOwnerDeletes) {
  int alive = 0;
  {
    Ref<Leaf> leaf = make_ref<Leaf>(&alive);
    Ref<const Node> base = leaf;
    EXPECT_EQ(leaf->use_count(), 2u);
    leaf = nullptr;
    EXPECT_EQ(alive, 1);
    Ref<const Node> moved = std::move(base);
    EXPECT_EQ(moved->use_count(), 1u);
    EXPECT_EQ(base, nullptr);
    EXPECT_EQ(static_ref_cast<const Leaf>(moved)->use_count(), 2u);
  }
  EXPECT_EQ(alive, 0);
}

struct Later;

struct Holder {
  Ref<const Later> later;  // `Later` is not known here
};

struct Later : RefCounted {
  int value = 5;
};

TEST(Ref, HoldsClassesThatAreDefinedLater) {
  Holder holder;
  holder.later = make_ref<Later>();
  const Holder copy = holder;
  EXPECT_EQ(copy.later->value, 5);
  EXPECT_EQ(copy.later->use_count(), 2u);
  EXPECT_EQ(std::hash<Ref<const Later>>()(copy.later), std::hash<Ref<const Later>>()(holder.later));
}

TEST(Ref, SelfAssignmentKeepsTheObject) {
  int alive = 0;
  Ref<Node> node = make_ref<Node>(&alive);
  Ref<Node>& same = node;
  node = same;
  EXPECT_EQ(alive, 1);
  EXPECT_EQ(node->use_count(), 1u);
}

TEST(Ref, ThreadsShareOneCount) {
  int alive = 0;
  Ref<Node> node = make_ref<Node>(&alive);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([node] {
      for (int i = 0; i < 10000; ++i) Ref<Node> copy = node;
    });
  }
  for (std::thread& thread : threads) thread.join();
  threads.clear();
  EXPECT_EQ(node->use_count(), 1u);
  EXPECT_EQ(alive, 1);
}

}  // namespace
}  // namespace hocket::support
