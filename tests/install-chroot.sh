#!/usr/bin/env bash
# install.sh as root on a minimal Debian or Ubuntu of its own: only systemd is played by a script.
#
#   bash tests/install-chroot.sh BINARY [SUITE [MIRROR]]     root and debootstrap needed; a minute
#   bash tests/install-chroot.sh BINARY noble http://archive.ubuntu.com/ubuntu
#
# CHROOT=DIR keeps the system for the next time.
set -euo pipefail
binary=$(readlink -f "${1:?usage: tests/install-chroot.sh BINARY [SUITE [MIRROR]]}")
suite=${2:-stable}
mirror=${3:-http://deb.debian.org/debian}
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ "$(id -u)" = 0 ] || { echo 'tests/install-chroot.sh: not root, skipped'; exit 0; }
command -v debootstrap >/dev/null || { echo 'tests/install-chroot.sh: debootstrap is missing, skipped'; exit 0; }
work=$(mktemp -d)
system=${CHROOT:-$work/system}
# What is left of an earlier run must not decide this one.
forget() {
  if [ -e "$system/run/respiro.pid" ]; then kill "$(cat "$system/run/respiro.pid")" 2>/dev/null || true; fi
  rm -rf "$system/run/respiro.pid" "$system/var/lib/respiro" "$system/etc/respiro" "$system/run/systemd" \
    "$system/usr/local/bin/respiro"* "$system/usr/local/sbin/systemctl" "$system/usr/local/sbin/journalctl" \
    "$system/root/"* "$system/var/log/respiro" "$system/etc/systemd/system/respiro.service"
}
cleanup() {
  forget
  umount "$system/proc" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
fail() { echo "tests/install-chroot.sh: $*" >&2; cat "$work/out" "$system/var/log/respiro" >&2 2>/dev/null || true; exit 1; }
# A release younger than debootstrap: Ubuntu's are all made by this script of its.
script=/usr/share/debootstrap/scripts/$suite
[ -e "$script" ] || script=/usr/share/debootstrap/scripts/gutsy
[ -e "$system/etc/debian_version" ] \
  || debootstrap --variant=minbase "$suite" "$system" "$mirror" "$script" >"$work/out" \
  || fail 'no system was made'
forget
mount -t proc proc "$system/proc" || true
inside() { chroot "$system" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
run() { inside sh /root/install.sh --settle-seconds 20 "$@" >"$work/out" 2>&1; }
says() { grep -q -- "$1" "$work/out" || fail "it does not say: $1"; }
refused() {
  local words=$1
  shift
  if run "$@"; then fail "it did not fail: $words"; fi
  says "$words"
}
cp "$repository/install.sh" "$binary" "$system/root/"
[ "$(basename "$binary")" = respiro ] || mv "$system/root/$(basename "$binary")" "$system/root/respiro"

refused 'systemd is missing' --listen 127.0.0.1:18080 --public-url https://example.org
cat >"$system/usr/local/sbin/systemctl" <<'FAKE'
#!/bin/sh
# Does what systemd would do for the unit: folder, user, environment, process.
stop() {
  [ -e /run/respiro.pid ] || return 0
  kill "$(cat /run/respiro.pid)" 2>/dev/null
  while kill -0 "$(cat /run/respiro.pid)" 2>/dev/null; do sleep 0.1; done
  rm -f /run/respiro.pid
}
unit=/etc/systemd/system/respiro.service
case $1 in
  restart | start)
    stop
    [ -e "$unit" ] || exit 5
    user=$(sed -n 's/^User=//p' "$unit")
    install -d -o "$user" -g "$user" -m 0700 /var/lib/respiro
    set -a
    . "$(sed -n 's/^EnvironmentFile=//p' "$unit")"
    setpriv --reuid="$user" --regid="$user" --clear-groups $(sed -n 's/^ExecStart=//p' "$unit") >>/var/log/respiro 2>&1 &
    echo $! >/run/respiro.pid ;;
  stop | disable) stop ;;
esac
FAKE
printf '#!/bin/sh\ncat /var/log/respiro\n' >"$system/usr/local/sbin/journalctl"
chmod +x "$system/usr/local/sbin/"*
refused 'systemd does not run here' --listen 127.0.0.1:18080 --public-url https://example.org
mkdir -p "$system/run/systemd/system"
chroot --userspec=65534:65534 "$system" sh /root/install.sh >"$work/out" 2>&1 && fail 'it ran as nobody'
chmod 0711 "$system/root"; chroot --userspec=65534:65534 "$system" sh /root/install.sh >"$work/out" 2>&1 || true
chmod 0700 "$system/root"
says 'run this as root'
refused 'name --domain and --email, or --listen and --public-url'
refused 'does not exist' --binary /nowhere --listen 127.0.0.1:18080

data=/var/lib/respiro/respiro.redb
owner() { inside stat -c '%U %a' "$1"; }
respiro() { inside /usr/local/bin/respiro --data "$data" "$@"; }
healthy() {
  respiro healthcheck >/dev/null || fail "$1"
  # Whatever root did meanwhile, the service owns its files.
  strange=$(inside find /var/lib/respiro ! -user respiro)
  [ -z "$strange" ] || fail "$1: not the service's own: $strange"
}
run --listen 127.0.0.1:18080 --public-url https://example.org || fail 'the installation failed'
says 'https://example.org/admin#setup='
healthy 'not healthy after the installation'
[ "$(owner $data)" = 'respiro 600' ] || fail "the data file: $(owner $data)"
[ "$(owner /etc/respiro/respiro.env)" = 'root 640' ] || fail 'the settings are open to everybody'

run || fail 'the second run failed'
says 'settings are kept'
healthy 'not healthy after the second run'
echo 'corretto cavallo batteria' | respiro admin add me@example.org >/dev/null

run --upgrade || fail 'the upgrade failed'
says 'upgraded to respiro'
healthy 'not healthy after the upgrade'
respiro admin list | grep -q me@example.org || fail 'the account was lost by the upgrade'

sleep 1 # copies are named by the second
printf '#!/bin/sh\ncase "$*" in *--version*) echo broken;; *) exit 1;; esac\n' >"$system/root/broken"
chmod +x "$system/root/broken"
refused 'the former one runs again' --settle-seconds 2 --upgrade --binary /root/broken
healthy 'not healthy after the roll-back'
respiro admin list | grep -q me@example.org || fail 'the account was lost by the roll-back'

run --uninstall || fail 'removing failed'
[ ! -e "$system/usr/local/bin/respiro" ] || fail 'the program was left behind'
[ -e "$system$data" ] || fail 'removing took the data'
run || fail 'installing again failed'
healthy 'not healthy after installing again'
respiro admin list | grep -q me@example.org || fail 'the account was lost by removing and installing'
echo "tests/install-chroot.sh: all well on $(inside sh -c '. /etc/os-release; echo "$PRETTY_NAME"')"
