#include "target/target.h"

#include <gtest/gtest.h>

#include <set>

namespace hocket::target {
namespace {

TEST(Target, FeaturesBringWhatTheyImply) {
  Target t = parse_target("x86-64-avx2-fma").value();
  EXPECT_TRUE(t.has(Feature::Avx));
  EXPECT_TRUE(t.has(Feature::Sse41));
  EXPECT_TRUE(t.has("fma"));
  EXPECT_FALSE(t.has(Feature::Avx512f));
  EXPECT_FALSE(t.has("no such feature"));
  EXPECT_EQ(t.vector_bytes(), 32);
  EXPECT_EQ(t.vector_registers(), 16);
  EXPECT_EQ(t.lanes(ir::Type::f(32)), 8);
  EXPECT_EQ(t.lanes(ir::Type::u(16)), 16);
}

TEST(Target, PrintsOnlyWhatIsNotImpliedAndParsesBack) {
  for (const char* text : {"x86-64", "x86-64-fma-avx2", "x86-64-v3", "x86-64-v4", "aarch64-dotprod",
                           "x86-64-avx512bf16-amx_int8", "host", "x86-64-avx2-cpu=sapphire-x"}) {
    Target t = parse_target(text).value();
    Target again = parse_target(t.to_string()).value();
    EXPECT_TRUE(same_code(t, again)) << text << " printed " << t.to_string();
  }
  EXPECT_EQ(parse_target("x86-64-sse42-avx-avx2-fma").value().to_string(), "x86-64-fma-avx2");
}

TEST(Target, NoTakesAFeatureAndItsDependentsAway) {
  Target t = parse_target("x86-64-v4-no_avx512f").value();
  EXPECT_FALSE(t.has(Feature::Avx512bw));
  EXPECT_TRUE(t.has(Feature::Avx2));
  EXPECT_EQ(t.vector_bytes(), 32);
  EXPECT_FALSE(parse_target("host-no_avx2").value().has(Feature::Avx512f));
}

TEST(Target, MasksAreCheapWhereTheMachineHasThem) {
  Target avx2 = parse_target("x86-64-avx2").value(), v4 = parse_target("x86-64-v4").value();
  EXPECT_TRUE(avx2.has_cheap_masks(ir::Type::f(32)));
  EXPECT_FALSE(avx2.has_cheap_masks(ir::Type::u(16)));
  EXPECT_TRUE(v4.has_cheap_masks(ir::Type::u(16)));
  EXPECT_FALSE(parse_target("x86-64").value().has_cheap_masks(ir::Type::f(32)));
}

TEST(Target, TheTableIsInTheOrderOfTheEnumAndNamesAreUnique) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < all_features().size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(all_features()[i].feature), i);
    EXPECT_TRUE(names.insert(all_features()[i].name).second);
    EXPECT_EQ(all_features()[i].name.find('-'), std::string_view::npos);
  }
}

#if defined(__x86_64__)
TEST(Target, HostAgreesWithTheCompilersOwnReading) {
  const Target& h = host();
  __builtin_cpu_init();
  EXPECT_EQ(h.has(Feature::Sse42), __builtin_cpu_supports("sse4.2") != 0);
  EXPECT_EQ(h.has(Feature::Avx2), __builtin_cpu_supports("avx2") != 0);
  EXPECT_EQ(h.has(Feature::Fma), __builtin_cpu_supports("fma") != 0);
  EXPECT_EQ(h.has(Feature::Avx512f), __builtin_cpu_supports("avx512f") != 0);
  EXPECT_EQ(h.has(Feature::Avx512bw), __builtin_cpu_supports("avx512bw") != 0);
  EXPECT_EQ(h.has(Feature::Avx512vnni), __builtin_cpu_supports("avx512vnni") != 0);
  EXPECT_EQ(h.features, close_features(h.features));
  EXPECT_GE(h.cores, 1);
  EXPECT_GE(h.l1_bytes, 8 << 10);
  EXPECT_GE(h.l2_bytes, h.l1_bytes);
  EXPECT_EQ(h.cache_line, 64);
}
#endif

}  // namespace
}  // namespace hocket::target
