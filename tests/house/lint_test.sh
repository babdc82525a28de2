#!/usr/bin/env bash
# Runs clang-tidy over every source where HOCKET_LINT=1 asks for it; skipped elsewhere.
set -eu
[[ ${HOCKET_LINT:-} == 1 ]] || exit 77
exec "$1" lint --all
