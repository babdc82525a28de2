#!/usr/bin/env bash
# street_kept STREET_KEPT FOLDER: another verdict than the expected one, no expectation and a file
# that cannot be read are failures.
set -euo pipefail
kept=$1 folder=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
judged() { "$kept" "$1" >"$work/said" 2>&1; }
is_red() {
  if judged "$1"; then
    printf '%s: this was to fail\n' "$2" >&2
    cat "$work/said" >&2
    exit 1
  fi
}
judged "$folder/extend_own_buffer.hk"
judged "$folder/compared_with_itself.hk"
sed 's/^# expect: .*/# expect: agree/' "$folder/extend_own_buffer.hk" >"$work/a.hk"
is_red "$work/a.hk" "refused where it is to agree"
sed 's/^# expect: .*/# expect: refused R0301/' "$folder/extend_own_buffer.hk" >"$work/b.hk"
is_red "$work/b.hk" "refused with another code"
sed 's/^# expect: .*/# expect: refused R0201/' "$folder/compared_with_itself.hk" >"$work/c.hk"
is_red "$work/c.hk" "agrees where it is to be refused"
sed '/^# expect: /d' "$folder/compared_with_itself.hk" >"$work/d.hk"
is_red "$work/d.hk" "without an expectation"
is_red "$work/nowhere.hk" "a file that is not there"
printf '# expect: agree\npipeline p(\n# outputs: [ 0+1 ] data 1\n' >"$work/e.hk"
is_red "$work/e.hk" "a text that does not parse"
