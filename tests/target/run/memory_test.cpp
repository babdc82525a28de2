#include "target/memory.h"

#include <gtest/gtest.h>

#include "target/target.h"

namespace hocket::target {
namespace {

TEST(Memory, RegistersHoldOneVectorOfTheirWidth) {
  const Memory& avx2 = *find_memory("AVX2");
  EXPECT_EQ(avx2.placement, Placement::Register);
  EXPECT_FALSE(avx2.direct);
  EXPECT_EQ(avx2.element(ir::Type::f(32))->lanes, 8);
  EXPECT_EQ(avx2.element(ir::Type::f(64))->c_type, "__m256d");
  EXPECT_EQ(avx2.element(ir::Type::f(16)), nullptr);
  for (const Memory& m : all_memories())
    for (const RegisterElement& r : m.registers)
      EXPECT_EQ(r.lanes * r.type.bytes(), m.name == "AVX2" ? 32 : 64) << m.name;
}

TEST(Memory, FeaturesOfMemoriesAreFeatures) {
  for (const Memory& m : all_memories())
    for (std::string_view f : m.features) EXPECT_NE(find_feature(f), nullptr) << f;
}

TEST(Memory, MainMemoryTakesAnything) {
  EXPECT_TRUE(check_memory(*find_memory("DRAM"), "a", ir::Type::f(16), 0).ok());
  EXPECT_TRUE(check_memory(*find_memory("AVX512"), "a", ir::Type::f(32), 16).ok());
  EXPECT_TRUE(find_memory("DRAM_STACK")->direct);
}

}  // namespace
}  // namespace hocket::target
