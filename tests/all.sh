#!/usr/bin/env bash
# Every check of the project. Installs what it needs; docs/testing.md says what each part takes.
#
#   bash tests/all.sh            everything
#   bash tests/all.sh quick      the inner loop, after a change in Rust or in the UI
#   bash tests/all.sh rust ui    only the named parts: tools ui rust servers browser engines budgets
#   bash tests/all.sh long       by hand, over an hour: many failures with the real renderer, many power cuts
#   bash tests/all.sh dist       by hand, before a release: the binary that is shipped, its size, its installation
#   bash tests/all.sh release  by hand: makes the files of a release with a test key, and tries them; docs/releasing.md
#   bash tests/all.sh speech     by hand, before a release: what a screen reader says; BLESS=1 writes tests/speech/*.txt
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
parts="${*:-tools ui rust servers browser engines budgets}"
# One build for everything but `dist`.
binary=target/debug/respiro
logs=target/all
started=$SECONDS
# Where nobody has built anything yet nobody works on: what only a next build would use, and the lines of a backtrace
# (a failed assertion names its own), are a third of compiling our crate.
if [[ ! -d target/debug ]]; then export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0; fi

fail() { printf 'tests/all.sh: %s\n' "$*" >&2; exit 1; }
wants() { [[ " $parts " == *" $1 "* ]]; }

# Some parts mostly wait, others use one core: they run beside each other, each with a log of its own.
declare -A lanes=()
say() { printf '==> [%4d s] %s\n' "$((SECONDS - started))" "$*"; }
lane() {
  local name=$1
  shift
  mkdir -p "$logs"
  say "$name ..."
  # In a process group of its own, so that what it started can be ended with it.
  set -m
  ("$@") >"$logs/$name.log" 2>&1 &
  set +m
  lanes[$name]=$!
}
# Waits for a lane; shows all it said when it failed, its last lines when it did not.
collect() {
  local name=$1 process=${lanes[$1]:-}
  [[ -n $process ]] || return 0
  unset "lanes[$name]"
  if ! wait "$process"; then
    cat "$logs/$name.log" >&2
    fail "$name failed"
  fi
  say "$name: done"
  tail -n "${2:-3}" "$logs/$name.log"
}
# Begins a step; a lane that has failed meanwhile ends everything here.
step() {
  for name in "${!lanes[@]}"; do
    kill -0 "${lanes[$name]}" 2>/dev/null || collect "$name"
  done
  say "$*"
}
finish() {
  for name in "${!lanes[@]}"; do kill -- "-${lanes[$name]}" 2>/dev/null || true; done
}
trap finish EXIT

# How many tests ran, for the last line, from what the runners themselves wrote at their ends. A failure ends
# everything before that.
passed=0
# The fewest tests that each runner has to report: a package or a filter that drops out fails here. A number is lowered
# only in the commit that deletes a mechanism with its tests.
rust_tests_min=1125
ui_tests_min=935
browser_tests_min=885
engine_tests_min=105
count() {
  local name=$1 min=$2 sum=0 number
  shift 2
  while read -r number; do sum=$((sum + number)); done < <(
    sed -nE 's/\x1b\[[0-9;]*m//g; s/^(test result: ok\. | +Tests +| +)([0-9]+) (passed|flaky).*/\2/p' "$@"
  )
  [[ $sum -ge $min ]] || fail "$name: $sum tests ran, at least $min are expected"
  passed=$((passed + sum))
}

# Installs Debian packages that are missing; says what to do where it may not. Daemons live in /usr/sbin,
# which is not on everybody's path.
has() { PATH=$PATH:/usr/sbin:/usr/libexec command -v "$1" >/dev/null; }
need() {
  local missing=()
  for pair in "$@"; do has "${pair%:*}" || missing+=("${pair#*:}"); done
  [[ ${#missing[@]} == 0 ]] && return 0
  [[ $(id -u) == 0 ]] && has apt-get \
    || fail "missing: install the packages ${missing[*]} and run this again"
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "${missing[@]}" >/dev/null
}
packages() {
  if wants tools; then need shellcheck:shellcheck; fi
  # Chromium without its windows where the distribution has it apart: it does a quarter less.
  if (wants browser || wants engines || wants quick) && ! has chromium-headless-shell && ! has chromium; then
    need chromium:chromium chromium-headless-shell:chromium-headless-shell || need chromium:chromium
  fi
  if wants servers || wants dist; then
    need pebble:pebble testssl:testssl.sh nginx:nginx-light systemd-analyze:systemd
  fi
  if wants servers || wants dist || wants browser; then need faketime:faketime; fi
  if wants release; then need debootstrap:debootstrap skopeo:skopeo ip:iproute2; fi
  if wants speech; then
    need firefox-esr:firefox-esr orca:orca xvfb-run:xvfb xauth:xauth openbox:openbox xdotool:xdotool \
      dbus-run-session:dbus-daemon at-spi2-registryd:at-spi2-core
  fi
  if wants engines; then
    need firefox-esr:firefox-esr WebKitWebDriver:webkit2gtk-driver Xvfb:xvfb openbox:openbox
    local typelib=gir1.2-webkit2-4.1
    # They bring no program: the names before the colons stand for none.
    dpkg -s python3-gi $typelib >/dev/null 2>&1 || need /gi:python3-gi /typelib:$typelib
  fi
}

# Once for each lock: `build.rs` looks at the same stamp, under the same lock.
node_packages() (
  cd ui
  exec 9>node_modules.lock
  flock 9
  cmp -s package-lock.json node_modules/.respiro-lock && return 0
  npm ci --include=dev --prefer-offline --ignore-scripts --no-audit --no-fund --loglevel=error
  cp package-lock.json node_modules/.respiro-lock
)
ui() {
  node_packages
  cd ui
  npx biome check --error-on-warnings .
  npx tsc --noEmit
  npx vitest run
}
# Clippy compiles our own crate, so that what it says comes with the build that the tests need: on its own it would
# check every crate once more, a third of the time of a build. `cargo clippy -- -D warnings` sets the same.
linted() {
  CLIPPY_CONF_DIR="$PWD/.ci" RUSTC_WORKSPACE_WRAPPER=clippy-driver \
    CLIPPY_ARGS='-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__' "$@"
}
# Two test programs beside each other: many have one long test, and cargo would wait for it with a core idle. From the
# last by name, for the longest of these (`static_site`) stands near the end.
rust_tests() {
  rm -rf "$logs/rust"
  mkdir -p "$logs/rust"
  linted cargo test --no-run --workspace --quiet --message-format=json \
    | sed -n '/"profile":{[^}]*"test":true}/s/.*"executable":"\([^"]*\)".*/\1/p' | sort -r >"$logs/rust/programs"
  [[ -s $logs/rust/programs ]] || fail 'cargo names no test programs'
  logs=$logs/rust xargs -P 2 -I '{}' bash -c '
    log=$logs/$(basename "{}").log
    if "{}" --quiet >"$log" 2>&1; then
      printf "%s: %s\n" "$(basename "{}" | sed "s/-[0-9a-f]*$//")" "$(grep "^test result" "$log")"
    else
      cat "$log"
      exit 1
    fi' <"$logs/rust/programs"
}
# One after the other: both start and stop programs under a watch.
machines() {
  bash tests/proxy.sh "$binary"
  bash tests/image.sh "$binary"
  bash tests/install.sh "$binary"
}
start_servers() {
  # These mostly wait: for deadlines, or for the next turn of who uses the program.
  lane certificates bash tests/acme.sh "$binary"
  lane newsletter bash tests/newsletter.sh "$binary"
  lane slow-clients node tests/slow.mjs "$binary"
  lane machines machines
  lane soak nice node tests/soak.mjs "$binary"
  lane schemathesis nice bash tests/schemathesis.sh "$binary" 60
}
collect_servers() {
  collect machines
  collect slow-clients 1
  collect newsletter 2
  collect certificates 1
}
browser() (
  cd ui
  # As in CI: what fails gets a second try, and is called flaky when that passes.
  CI=true RESPIRO_BINARY="$PWD/../$binary" npx playwright test "$@"
)

# The same tests in Chromium, Firefox and WebKit, one beside the other.
engines() (
  cd ui
  CI=true RESPIRO_BINARY="$PWD/../$binary" npx playwright test --config engines
)

# The browser that the tests drive, as ui/playwright.config.ts chooses it.
browser_version() {
  local program=${CHROMIUM:-}
  for name in chromium-headless-shell chromium; do
    [[ -n $program ]] || program=$(command -v "$name" || true)
  done
  [[ -n $program ]] || return 1
  say "browser: $("$program" --version 2>/dev/null) ($program)"
}

is_browser_missing=''
if wants browser || wants engines || wants quick; then browser_version || is_browser_missing=yes; fi
if wants tools || wants quick; then
  has cargo || fail 'cargo is missing: install Rust (rustup.rs), then run this again'
  has npm || fail 'npm is missing: install Node.js 20.19 or newer, then run this again'
fi
lane packages packages
if wants ui || wants quick; then lane ui ui; fi

if wants dist; then
  step 'dist: the whole program optimised as one'
  cargo build --profile dist --locked
  binary=target/dist/respiro
elif wants rust || wants quick || wants servers || wants browser || wants engines || wants budgets || wants speech; then
  step 'build: the program'
  linted cargo build --workspace --quiet
fi

collect packages
if [[ -n $is_browser_missing ]]; then browser_version || fail 'no Chromium was installed'; fi
if wants tools; then
  step 'shell scripts'
  shellcheck -S warning .ci/run .ci/*.sh .ci/debian/{config,preinst,postinst,prerm,postrm} tests/*.sh install.sh
  lane supply bash tests/supply.sh
fi
if wants servers || wants dist; then start_servers; fi

if wants rust || wants quick; then
  step 'rust: format'
  cargo fmt --all --check
  step 'build: the tests'
  linted cargo test --no-run --workspace --quiet
  linted cargo test --doc --workspace --quiet >"$logs/doc.log" || { cat "$logs/doc.log" >&2; fail 'the tests in documents failed'; }
fi
# Their deadlines are not for two full cores: the tests come after them.
if wants servers || wants dist; then collect_servers; fi
if wants rust || wants quick; then
  step 'rust: tests'
  rust_tests
  count rust "$rust_tests_min" "$logs"/rust/*.log
fi
# These have no deadlines that others could cost them.
collect soak 1
collect schemathesis 1
if wants ui || wants quick; then
  collect ui 6
  count ui "$ui_tests_min" "$logs/ui.log"
fi
collect supply

if wants long; then
  step 'long: 2,000 histories of failures, with the renderer that echoes and the real one'
  RESPIRO_HISTORIES=2000 cargo test --quiet --test publish_faults
  RESPIRO_HISTORIES=2000 RESPIRO_REAL_RENDERER=1 cargo test --quiet --test publish_faults
  step 'long: 10,000 power cuts'
  RESPIRO_POWER_CUTS=10000 cargo test --quiet --workspace --lib power_cut
fi

if wants quick; then
  step 'browser: one way through each half'
  browser main-job.spec.ts pages.spec.ts | tee "$logs/browser.log"
  count browser 1 "$logs/browser.log"
fi
if wants browser; then
  step 'browser'
  browser | tee "$logs/browser.log"
  count browser "$browser_tests_min" "$logs/browser.log"
fi
if wants engines; then
  step 'engines: Chromium, Firefox and WebKit'
  engines | tee "$logs/engines.log"
  count engines "$engine_tests_min" "$logs/engines.log"
fi

if wants release; then
  step 'release: two architectures, each optimised as one program'
  bash .ci/release.sh --test-key
  bash tests/release.sh
fi

if wants speech; then
  step 'speech'
  python3 tests/speech.py "$binary"
fi

if wants budgets || wants dist; then
  step 'budgets'
  if wants dist; then node tests/budgets.mjs "$binary"; else node tests/budgets.mjs --pages "$binary"; fi
fi
step 'all checks passed'
printf '%d passed, 0 failed\n' "$passed"
