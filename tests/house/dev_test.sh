#!/usr/bin/env bash
# ./dev lists every verb it dispatches, and refuses the others. $1: the script.
set -eu
said=$("$1" help)
for verb in setup build test demo bench fmt lint golden fuzz docs; do
  grep -q "^  $verb" <<<"$said" || { echo "./dev help does not name $verb"; exit 1; }
done
if said=$("$1" no_such_verb 2>&1); then
  echo "./dev accepts a verb that it does not have"
  exit 1
fi
grep -q 'no verb `no_such_verb`' <<<"$said"

# ./dev setup installs what dpkg does not have, also what it never heard of (dpkg-query then fails),
# and nothing where all is there. The package tools are stand-ins that write down their arguments.
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
printf '#!/bin/sh\necho "$@" >> "%s/asked"\n' "$place" > "$place/apt-get"
printf '#!/bin/sh\necho "  Candidate: 1.0"\n' > "$place/apt-cache"
printf '#!/bin/sh\nexec "$@"\n' > "$place/sudo"
cat > "$place/dpkg-query" <<'TEXT'
#!/bin/sh
shift 2
failed=0
for package; do
  case $package:$HAVE in
    *:all | g++:*) echo "$package installed" ;;
    cmake:*) echo "$package config-files" ;;
    *) echo "dpkg-query: no packages found matching $package" >&2; failed=1 ;;
  esac
done
exit $failed
TEXT
chmod +x "$place"/*
HAVE=few PATH="$place:$PATH" "$1" setup >/dev/null
grep -q '^-o DPkg::Lock::Timeout=600 update' "$place/asked"
for package in cmake clang-22 libz3-dev zlib1g-dev; do
  grep '^-o .* install ' "$place/asked" | grep -q " $package\( \|$\)" ||
    { echo "./dev setup does not install $package where it is missing"; exit 1; }
done
if grep ' install ' "$place/asked" | grep -q ' g++\( \|$\)'; then
  echo "./dev setup installs g++ where it is there"
  exit 1
fi
rm "$place/asked"
HAVE=all PATH="$place:$PATH" "$1" setup
[[ ! -e $place/asked ]] || { echo "./dev setup asks apt-get where nothing is missing"; exit 1; }

# ./dev golden runs every test that compares with golden files, and no other: each folder of them is
# named by the source of a test that runs, no test runs whose source names none.
tests=$(cd "$(dirname "$1")" && pwd)/tests
mkdir "$place/tree"
cp "$1" "$place/tree/dev"
ln -s "$tests" "$place/tree/tests"
printf '#!/bin/sh\n' | tee "$place/cmake" > "$place/git"
printf '#!/bin/sh\necho "$HOCKET_UPDATE_GOLDEN $@" > "%s/asked"\n' "$place" > "$place/ctest"
chmod +x "$place/cmake" "$place/git" "$place/ctest"
HAVE=all PATH="$place:$PATH" "$place/tree/dev" golden >/dev/null
grep -q '^1 .* -R ' "$place/asked" || { echo "./dev golden does not rewrite expectations"; exit 1; }
pattern=$(sed 's/.* -R //' "$place/asked")
printf 'string(REGEX MATCH [[%s]] found "")\n' "$pattern" > "$place/pattern.cmake"
cmake -P "$place/pattern.cmake" || { echo "./dev golden asks ctest what it does not read"; exit 1; }
tests_of() {  # of a source, as ctest names them
  sed -nE "s/^(TYPED_)?TEST(_F|_P)?\(([A-Za-z0-9_]+), ([A-Za-z0-9_]+).*/$(cut -d/ -f1 <<<"$1").\3.\4/p" "$tests/$1"
}
cd "$tests"
folders=0
while IFS= read -r folder; do
  folders=$((folders + 1))
  runs=0
  while IFS= read -r source; do
    tests_of "$source" | grep -qE "$pattern" && runs=1
  done < <(grep -rl "\"${folder#./}/" --include='*.cpp' . | sed 's|^\./||')
  [[ $runs == 1 ]] || { echo "./dev golden does not run the tests of $folder"; exit 1; }
done < <(find . -type d -name golden)
[[ $folders -ge 7 ]] || { echo "only $folders folders of golden files were found"; exit 1; }
others=$(grep -rL '/golden/' --include='*_test.cpp' . | sed 's|^\./||' |
  while IFS= read -r source; do tests_of "$source"; done | grep -E "$pattern") || true
[[ -z $others ]] || { echo "./dev golden runs tests without golden files: $others"; exit 1; }
