// hocket_call has a short way for usual buffers and a long one for all others: both must give the
// same answer. Random layouts, judged by rules written down once more here.
#include <random>

#include "../call_fixture.h"

namespace hocket::runtime_test {
namespace {

int32_t expected(const std::array<hocket_dim_t, 2>& dims) {
  for (const hocket_dim_t& dim : dims) {
    if (dim.extent < 0) return HOCKET_ERROR_EXTENT_NEGATIVE;
    const __int128 last = __int128{dim.min} + dim.extent - 1;
    if (dim.min < INT32_MIN || dim.min > INT32_MAX || dim.extent > INT32_MAX ||
        (dim.extent > 0 && last > INT32_MAX)) {
      return HOCKET_ERROR_EXTENT_OVERFLOW;
    }
  }
  const bool empty = dims[0].extent == 0 || dims[1].extent == 0;
  __int128 first = 0, last = 0;
  for (const hocket_dim_t& dim : dims) {
    const __int128 reach = __int128{dim.stride} * (dim.extent - 1);
    (reach < 0 ? first : last) += reach;
  }
  if (!empty && (first < INT64_MIN || last >= INT64_MAX)) return HOCKET_ERROR_EXTENT_OVERFLOW;
  if (dims[0].stride != 1) return HOCKET_ERROR_CONSTRAINT_VIOLATED;
  if (empty || dims[1].extent == 1) return 0;
  const __int128 stride = dims[1].stride < 0 ? -__int128{dims[1].stride} : dims[1].stride;
  if (dims[0].extent == 1) return stride == 0 ? HOCKET_ERROR_ALIAS_OVERLAP : 0;
  return stride < dims[0].extent ? HOCKET_ERROR_ALIAS_OVERLAP : 0;
}

int64_t pick(std::mt19937_64& random, std::initializer_list<int64_t> near) {
  const int64_t base = near.begin()[random() % near.size()];
  return static_cast<int64_t>(static_cast<uint64_t>(base) + random() % 7 - 3);
}

TEST_F(CallTest, the_short_way_and_the_long_way_agree) {
  std::mt19937_64 random(3);
  regions = nullptr;
  metadata.flags = HOCKET_METADATA_NO_ALIAS_CHECK;
  body = [](const hocket_context_t*, const int64_t* scalars, void* const*) -> int32_t {
    return scalars[8] <= INT32_MAX ? 0 : 1;
  };
  int good = 0;
  for (int round = 0; round < 200000; ++round) {
    for (hocket_dim_t& dim : out.dims) {
      const bool tame = random() % 2;
      dim.min =
          tame ? 0
               : pick(random, {0, INT32_MIN, INT32_MAX, INT64_C(1) << 32, INT64_MAX, INT64_MIN});
      dim.extent =
          tame ? static_cast<int64_t>(random() % 5)
               : pick(random, {0, INT64_C(1) << 31, INT64_C(1) << 32, INT64_MAX, INT64_MIN});
      dim.stride = pick(random, {0, 3, INT64_C(1) << 31, INT64_C(1) << 32, INT64_C(1) << 56,
                                 INT64_C(1) << 62, INT64_MAX, INT64_MIN});
    }
    if (random() % 8) out.dims[0].stride = 1;
    const int32_t code = expected(out.dims);
    ASSERT_EQ(call(), code) << round << ": " << out.dims[0].min << " " << out.dims[0].extent << " "
                            << out.dims[0].stride << ", " << out.dims[1].min << " "
                            << out.dims[1].extent << " " << out.dims[1].stride;
    good += code == 0;
  }
  EXPECT_GT(good, 10000);
}

}  // namespace
}  // namespace hocket::runtime_test
