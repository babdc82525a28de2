#!/usr/bin/env bash
# Hocket as a user has it: installed, moved, and used by programs that know nothing of the tree.
#
#   outside_test.sh CMAKE SOURCE BUILD CC CXX
#
# In: a build folder in which everything is built. Out: status 0 where every program was built and
# ran. What names the tree (a config, a run path, an included header) is a failure; where the machine
# lets us, the tree and the build are also covered by empty folders meanwhile.
set -euo pipefail
fail() { echo "install.outside: $*" >&2; exit 1; }

# Fills $place: hocket/ (what was installed), mine/ (the user's programs).
install_and_copy() {
  local cmake=$1 source=$2 build=$3
  # One folder is filled, another one is used: nothing may depend on where it was put first.
  "$cmake" --install "$build" --prefix "$place/first" >"$place/install.log" || { cat "$place/install.log"; exit 1; }
  mv "$place/first" "$place/hocket"
  ! grep -rIlF -e "$source" -e "$place/first" "$place/hocket" || fail "an installed file names the tree"
  ! readelf -d "$place/hocket/bin/hocket" "$place"/hocket/lib*/libhocket.so | grep -F "$source" ||
    fail "a run path names the tree"
  cp -r "$source/tests/install/outside" "$place/mine"
  cp "$source/apps/blur/blur.hk" "$source/apps/gemm/gemm.hk" "$place/mine"
}

use() {
  local cmake=$1 source=$2 cc=$4 cxx=$5 prefix=$place/hocket
  cd "$place/mine"
  # The tool alone: its own library of instructions and pages of errors.
  "$prefix/bin/hocket" show gemm.hk --trace avx2 --form loops >shown.txt
  "$prefix/bin/hocket" explain S0412 >explained.txt

  echo "== CMake: find_package(hocket)"
  "$cmake" -G Ninja -S . -B build -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" >configure.log || { cat configure.log; exit 1; }
  "$cmake" --build build >build.log || { cat build.log; exit 1; }
  for program in mine blur_object blur_text; do
    "./build/$program" || fail "$program ends with status $?"
  done

  echo "== pkg-config"
  PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name hocket.pc)")
  export PKG_CONFIG_PATH
  read -ra flags <<<"$(pkg-config --cflags --libs hocket)"
  read -ra runtime <<<"$(pkg-config --cflags --libs hocket-runtime)"
  libdir=$(pkg-config --variable=libdir hocket)
  "$cxx" -std=c++20 -MD -MF mine.d main.cc "${flags[@]}" -Wl,-rpath,"$libdir" -o mine
  ./mine
  ! grep -F "$source" mine.d || fail "a header of the tree is included"
  "$prefix/bin/hocket" compile blur.hk --schedule tiled -o blur
  "$cc" -std=c11 app.c blur.o "${runtime[@]}" -o app && ./app
}

if [[ ${1:-} == --hidden ]]; then
  shift
  place=$1
  shift
  mount -t tmpfs none "$2" && { [[ ! -d $3 ]] || mount -t tmpfs none "$3"; }
  [[ -z $(ls "$2") ]] || fail "the tree is not covered"
  use "$@"
  exit
fi

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
install_and_copy "$@"
if unshare -m sh -c "mount -t tmpfs none $place/mine" 2>/dev/null; then
  cp "$0" "$place/self.sh"
  unshare -m bash "$place/self.sh" --hidden "$place" "$@"
else
  use "$@"
fi
echo "install.outside: all programs ran"
