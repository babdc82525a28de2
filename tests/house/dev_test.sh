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
