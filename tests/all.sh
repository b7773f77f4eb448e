#!/usr/bin/env bash
# Every check of the project, in the order that fails soonest. Installs what it needs.
#
#   bash tests/all.sh            everything
#   bash tests/all.sh rust ui    only the named parts: tools ui rust release browser budgets
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export CLIPPY_CONF_DIR="$PWD/.ci"
parts="${*:-tools ui rust release browser budgets}"
started=$SECONDS

step() { printf '\n==> [%4d s] %s\n' "$((SECONDS - started))" "$*"; }
fail() { printf 'tests/all.sh: %s\n' "$*" >&2; exit 1; }
wants() { [[ " $parts " == *" $1 "* ]]; }

# Installs Debian packages that are missing; says what to do where it may not.
need() {
  local command=$1 package=$2
  # Daemons live in /usr/sbin, which is not on everybody's path.
  PATH=$PATH:/usr/sbin command -v "$command" >/dev/null && return 0
  [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null \
    || fail "$command is missing: install the package $package and run this again"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package" >/dev/null
}

if wants tools; then
  step 'tools'
  command -v cargo >/dev/null || fail 'cargo is missing: install Rust (rustup.rs), then run this again'
  command -v npm >/dev/null || fail 'npm is missing: install Node.js 20.19 or newer, then run this again'
  need chromium chromium
  need shellcheck shellcheck
  shellcheck -S warning .ci/run tests/*.sh install.sh
fi

if wants ui; then
  step 'ui: install, lint, types, unit tests'
  (
    cd ui
    npm ci --include=dev --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel=error
    npx biome check --error-on-warnings .
    npx tsc --noEmit
    npx vitest run
  )
fi

if wants rust; then
  step 'rust: format'
  cargo fmt --check
  step 'rust: clippy'
  cargo clippy --all-targets -- -D warnings
  step 'rust: tests'
  cargo test
fi

if wants release; then
  step 'release build'
  cargo build --release
  step 'certificates (pebble and testssl), slow clients, a caching proxy in front, an image without a system'
  need pebble pebble
  need testssl testssl.sh
  need nginx nginx-light
  # These two mostly wait for deadlines.
  bash tests/acme.sh target/release/respiro &
  certificates=$!
  node tests/slow.mjs target/release/respiro &
  slow=$!
  bash tests/proxy.sh target/release/respiro
  bash tests/image.sh target/release/respiro
  step 'install, upgrade, roll back, uninstall'
  need systemd-analyze systemd
  bash tests/install.sh target/release/respiro
  wait "$certificates"
  wait "$slow"
fi

if wants browser; then
  step 'browser tests'
  # As in CI: what fails gets a second try, and is called flaky when that passes.
  (cd ui && CI=true RESPIRO_BINARY="$PWD/../target/release/respiro" npx playwright test)
fi

if wants budgets; then
  step 'budgets: bytes of the public site'
  node tests/budgets.mjs target/release/respiro
fi

step 'all checks passed'
