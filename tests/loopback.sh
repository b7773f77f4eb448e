# shellcheck shell=bash
# For scripts that try the program with real servers around it, on loopback. Sourced: makes the folder
# `$work` and goes there; ends every process in `children`, and the folder, when the script ends.
work=$(mktemp -d)
children=()
cleanup() {
  for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
  wait
  rm -rf "$work"
}
trap cleanup EXIT
cd "$work" || exit 1
fail() { echo "tests/$(basename "$0"): $*" >&2; tail -n 20 ./*.log >&2; exit 1; }
# A free port: nothing listens there a moment before it is used.
port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
