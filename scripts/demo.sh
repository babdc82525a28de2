#!/usr/bin/env bash
# What Hocket does, on one photograph: schedules of a blur, histogram equalisation, a matrix product
# and its rewrites, and four refusals. Called by `./dev demo`, which has built everything.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${HOCKET_BUILD:-build/release}
hocket=$build/src/tools/hocket
out=$build/demo
photo=data/astronaut.png
mkdir -p "$out"

title() { printf '\n=== %s\n\n' "$1"; }
say() {
  printf '$ hocket %s\n' "$*"
  "$hocket" "$@"
}
# refused CODE ARGUMENTS: the command must be refused with this code, and show a witness.
refused() {
  local code=$1 said
  shift
  printf '$ hocket %s\n' "$*"
  if said=$("$hocket" "$@" 2>&1) || [[ $said != *"error[$code]"*$'\n'"witness: "* ]]; then
    printf '%s\nthis was to be refused with %s and a witness\n' "$said" "$code" >&2
    exit 1
  fi
  printf '%s\n\n' "$said"
}

title "One blur, from text, under four schedules"
sed -n '/^pipeline/,/^$/p' apps/blur/blur.hk
for schedule in root inline sliding tiled; do
  sed -n "/^schedule $schedule /,/^\$/p" apps/blur/blur.hk
  "$hocket" show apps/blur/blur.hk --schedule "$schedule" | sed -n '/^    if bv_x_extent/,$p' | cut -c1-150
  echo
  say run apps/blur/blur.hk --schedule "$schedule" "$photo" -o "$out/blur_$schedule.png"
  cmp "$out/blur_root.png" "$out/blur_$schedule.png"
  echo
done
echo "all four images are the same, byte for byte"

title "The same schedules on 12 megapixels"
say bench apps/blur/blur.hk --seconds 0.5

title "Judged: invariants after every pass, runs on small sizes against the definition"
say check apps/blur/blur.hk --size 9

title "The same blur from C++ (examples/01_blur.cpp)"
# Each schedule's time, and its loops from the first one on.
"$build/examples/example_01_blur" "$photo" "$out/blur_cpp.png" |
  awk '/^== / { print; shown = 0 } /^    if / { shown = 1 } shown { print substr($0, 1, 150) }'

title "Histogram equalisation"
sed -n '/^pipeline/,$p' apps/hist/hist.hk
say run apps/hist/hist.hk "$photo" -o "$out/equalised.png"

title "The orders in which loops visit an 8 x 8 output"
for schedule in rows columns vector threads tiles; do
  sed -n "/^schedule $schedule /,/^\$/p" examples/order.hk
  say show examples/order.hk --order --schedule "$schedule"
  echo
done

if [[ -f apps/gemm/gemm.hk ]]; then
  title "A matrix product: three loops, then the same product after a proved trace"
  sed -n '/^def gemm/,/^$/p' apps/gemm/gemm.hk
  trace=avx2
  grep -qw avx512f /proc/cpuinfo 2>/dev/null && trace=avx512
  echo "the trace, each step proved again when it is replayed:"
  echo
  sed -n "/^trace $trace /,/^\$/p" apps/gemm/gemm.hk
  echo "the loops that it leaves (lines cut at 120 columns):"
  echo
  "$hocket" show apps/gemm/gemm.hk --trace "$trace" --form loops |
    sed -n "/^def gemm_$trace/,\$p" | cut -c1-120
  echo
  say bench apps/gemm/gemm.hk --set M=512 --set N=512 --set K=512 --seconds 0.3
fi

title "Four refusals, each with its place, its reason and its witness"
refused S0109 show examples/refusals/refusals.hk --schedule racing
refused S0302 show examples/refusals/refusals.hk --schedule narrow
refused S0205 show examples/refusals/refusals.hk --schedule shared
refused R0201 show examples/refusals/refusals.hk --trace early

echo "images are in $out"
