#!/usr/bin/env bash
# Where the dependencies come from: advisories and sources of the crates, signatures of the packages. Both ask others than
# the registries themselves; what cannot be had here is said and fails nothing. Licences, bans and reasons are checked
# without anybody by tests/dependencies.rs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skipped() { printf 'tests/supply.sh: NOT RUN: %s\n' "$*"; }

# Runs a check; a check whose data cannot be had is told from one that found something by what it says.
check() {
  local name=$1 unreachable=$2
  shift 2
  local said
  if said=$("$@" 2>&1); then
    printf 'tests/supply.sh: %s: nothing found\n' "$name"
  elif grep -qiE "$unreachable" <<<"$said"; then
    skipped "$name: its data cannot be reached from here"
  else
    printf '%s\n' "$said" >&2
    printf 'tests/supply.sh: %s failed\n' "$name" >&2
    exit 1
  fi
}

if command -v cargo-deny >/dev/null; then
  check 'cargo deny (licences, bans, sources)' '^$' cargo deny --offline check --config .ci/deny.toml licenses bans sources
  check 'cargo deny (advisories)' 'failed to fetch|unable to (fetch|clone|resolve)|could not connect|network' \
    cargo deny check --config .ci/deny.toml advisories
else
  skipped 'cargo deny is not installed: cargo install cargo-deny'
fi
cd ui
check 'npm audit signatures' 'ENOTFOUND|ETIMEDOUT|ECONN|ENETUNREACH|EAI_AGAIN|network' \
  npm audit signatures --fetch-retries=0 --fetch-timeout=20000
