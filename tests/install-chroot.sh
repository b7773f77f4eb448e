#!/usr/bin/env bash
# An installation as root on a minimal Debian or Ubuntu of its own: only systemd is played by a script. FILE is a binary
# (with the install.sh of the repository), a tarball or a Debian package of a release.
#
#   bash tests/install-chroot.sh FILE [SUITE [MIRROR]]     root and debootstrap needed; a minute
#   bash tests/install-chroot.sh FILE noble http://archive.ubuntu.com/ubuntu
#
# CHROOT=DIR keeps the system for the next time.
set -euo pipefail
file=$(readlink -f "${1:?usage: tests/install-chroot.sh FILE [SUITE [MIRROR]]}")
suite=${2:-stable}
mirror=${3:-http://deb.debian.org/debian}
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
[ "$(id -u)" = 0 ] || { echo 'tests/install-chroot.sh: not root, skipped'; exit 0; }
command -v debootstrap >/dev/null || { echo 'tests/install-chroot.sh: debootstrap is missing, skipped'; exit 0; }
work=$(mktemp -d)
system=${CHROOT:-$work/system}
# A network of its own: ports 8080, 443 and 80 are free there.
network=respiro-$$
# What is left of an earlier run must not decide this one.
forget() {
  if [ -e "$system/var/lib/dpkg/info/respiro.list" ]; then chroot "$system" dpkg --purge --force-all respiro >/dev/null 2>&1 || true; fi
  if [ -e "$system/run/respiro.pid" ]; then
    kill "$(cat "$system/run/respiro.pid")" 2>/dev/null || true
    while kill -0 "$(cat "$system/run/respiro.pid")" 2>/dev/null; do sleep 0.1; done
  fi
  rm -rf "$system/run/respiro.pid" "$system/var/lib/respiro" "$system/etc/respiro" "$system/run/systemd" \
    "$system/usr/local/bin/respiro"* "$system/usr/bin/systemctl" "$system/usr/bin/journalctl" \
    "$system/root/"* "$system/var/log/respiro" "$system/etc/systemd/system/respiro.service"
}
cleanup() {
  forget
  umount "$system/proc" 2>/dev/null || true
  ip netns delete "$network" 2>/dev/null || true
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
ip netns add "$network" && ip -n "$network" link set lo up || fail 'no network namespace was made'
inside() { ip netns exec "$network" chroot "$system" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"; }
run() { inside sh /root/install.sh --settle-seconds 20 "$@" >"$work/out" 2>&1; }
says() { grep -q -- "$1" "$work/out" || fail "it does not say: $1"; }
refused() {
  local words=$1
  shift
  if run "$@"; then fail "it did not fail: $words"; fi
  says "$words"
}
is_package=''
case $file in
  *.deb) is_package=yes ;;
  *.tar.gz) tar -xzf "$file" -C "$system/root" --strip-components=1 --no-same-owner ;;
  *) install -m 0755 "$file" "$system/root/respiro"; cp "$repository/install.sh" "$system/root/" ;;
esac

for program in dpkg-deb minisign script; do
  command -v "$program" >/dev/null || fail "$program is missing: apt install dpkg minisign bsdutils"
done
[ -n "$is_package" ] || refused 'systemd is missing' --listen 127.0.0.1:18080 --public-url https://example.org
# In /usr/bin: apt runs the scripts of packages without /usr/local.
fake_systemd() {
cat >"$system/usr/bin/systemctl" <<'FAKE'
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
printf '#!/bin/sh\ncat /var/log/respiro\n' >"$system/usr/bin/journalctl"
chmod +x "$system/usr/bin/systemctl" "$system/usr/bin/journalctl"
}
data=/var/lib/respiro/respiro.redb
program=/usr/local/bin/respiro
owner() { inside stat -c '%U %a' "$1"; }
respiro() { inside "$program" --data "$data" "$@"; }
healthy() {
  respiro healthcheck >/dev/null || fail "$1"
  # Whatever root did meanwhile, the service owns its files.
  strange=$(inside find /var/lib/respiro ! -user respiro)
  [ -z "$strange" ] || fail "$1: not the service's own: $strange"
}
has_account() { respiro admin list | grep -q me@example.org || fail "the account was lost by $1"; }
done_on() {
  echo "tests/install-chroot.sh: all well on $(inside sh -c '. /etc/os-release; echo "$PRETTY_NAME"'): $(basename "$file")"
  exit 0
}

# A package with another version and, if named, another program.
repack() {
  local folder=$work/package
  rm -rf "$folder"
  dpkg-deb -R "$file" "$folder"
  sed -i "s/^Version: .*/Version: $1/" "$folder/DEBIAN/control"
  [ -z "${2:-}" ] || install -m 0755 "$2" "$folder/usr/bin/respiro"
  dpkg-deb --root-owner-group -Zgzip -b "$folder" "$system/root/$1.deb" >"$work/out"
}
apt() { inside DEBIAN_FRONTEND=noninteractive apt-get "$@" >"$work/out" 2>&1; }
answer() { inside debconf-set-selections <<<"respiro respiro/$1 string $2"; }
# A signed release that holds a package of repack: /root/release.
sign_release() {
  local folder=$system/root/release
  rm -rf "$folder"
  mkdir "$folder"
  cp "$system/root/$1.deb" "$folder/respiro_$1_amd64.deb"
  (cd "$folder" && sha256sum -- *.deb >SHA256SUMS)
  [ -e "$work/key" ] || minisign -G -W -p "$system/root/key.pub" -s "$work/key" >/dev/null
  minisign -S -s "$work/key" -m "$folder/SHA256SUMS" -t "respiro version=$1 targets=x86_64-linux-gnu" </dev/null >/dev/null
}
upgrade() { respiro upgrade --key /root/key.pub --settle-seconds 20 "/root/release/respiro_$1_amd64.deb" >"$work/out" 2>&1; }
package_version() { inside dpkg-query -W -f '${Version}' respiro; }
copies() { inside find /var/lib/respiro -name 'before-upgrade-*.redb' | wc -l; }

test_package() {
  program=/usr/bin/respiro
  cp "$file" "$system/root/respiro.deb"
  # Without systemd it is installed and not started.
  answer public-url https://example.org
  apt install -y /root/respiro.deb || fail 'no installation without systemd'
  says 'systemd does not run here'
  apt purge -y respiro || fail 'no purge without systemd'
  fake_systemd
  mkdir -p "$system/run/systemd/system"
  answer public-url https://example.org
  apt install -y /root/respiro.deb || fail 'the installation failed'
  says 'https://example.org/admin#setup='
  healthy 'not healthy after the installation'
  [ "$(owner $data)" = 'respiro 600' ] || fail "the data file: $(owner $data)"
  [ "$(owner /etc/respiro/respiro.env)" = 'root 600' ] || fail 'the settings are open to everybody'
  echo 'corretto cavallo batteria' | respiro admin add me@example.org >/dev/null
  inside respiro-setup --listen 127.0.0.1:8080 --listen 127.0.0.2:8080 >"$work/out" 2>&1 || fail 'no other settings'
  says 'settings are changed'
  healthy 'not healthy after a change of the settings'
  if inside respiro-setup --uninstall >"$work/out" 2>&1; then fail 'respiro-setup removed what dpkg owns'; fi

  repack 99.1
  apt install -y /root/99.1.deb || fail 'the upgrade failed'
  healthy 'not healthy after the upgrade'
  has_account 'the upgrade'
  if grep -q '#setup=' "$work/out"; then fail 'a void link was printed'; fi
  [ "$(copies)" = 1 ] || fail 'no copy of the data file before the upgrade'
  grep -q '127.0.0.2:8080' "$system/etc/respiro/respiro.env" || fail 'the upgrade lost settings'

  sleep 1 # copies are named by the second
  printf '#!/bin/sh\nexit 1\n' >"$work/broken"
  repack 99.2 "$work/broken"
  if apt install -y /root/99.2.deb; then fail 'a broken version was installed without an error'; fi
  says 'the service does not answer'
  apt install -y --allow-downgrades /root/99.1.deb || fail 'no way back from a broken version'
  healthy 'not healthy after the way back'
  has_account 'the way back'

  # `respiro upgrade` verifies the signature, installs by dpkg, and goes back by a package that it packs itself.
  sleep 1
  repack 99.3.0
  sign_release 99.3.0
  upgrade 99.3.0 || fail 'respiro upgrade failed'
  says 'signature and checksum are right'
  says 'upgraded; the data file as it was'
  [ "$(package_version)" = 99.3.0 ] || fail "installed: $(package_version)"
  healthy 'not healthy after respiro upgrade'
  has_account 'respiro upgrade'
  sleep 1
  repack 99.4.0 "$work/broken"
  sign_release 99.4.0
  if upgrade 99.4.0; then fail 'respiro upgrade kept a broken version'; fi
  says 'the former one runs again, with its data'
  [ "$(package_version)" = 99.3.0 ] || fail "after a broken version: $(package_version)"
  healthy 'not healthy after a broken version'
  has_account 'a broken version'
  printf 'x' >>"$system/root/release/respiro_99.4.0_amd64.deb"
  if upgrade 99.4.0; then fail 'a changed package was installed'; fi
  says 'is damaged'

  apt remove -y respiro || fail 'removing failed'
  [ -e "$system$data" ] || fail 'removing took the data'
  [ ! -e "$system/etc/systemd/system/respiro.service" ] || fail 'the unit was left behind'
  apt install -y /root/respiro.deb || fail 'installing again failed'
  healthy 'not healthy after installing again'
  has_account 'removing and installing'
  apt purge -y respiro || fail 'the purge failed'
  for left in /var/lib/respiro /etc/respiro /usr/bin/respiro /usr/sbin/respiro-setup /etc/systemd/system/respiro.service; do
    [ ! -e "$system$left" ] || fail "the purge left $left"
  done
  done_on
}
if [ -n "$is_package" ]; then test_package; fi

fake_systemd
refused 'systemd does not run here' --listen 127.0.0.1:18080 --public-url https://example.org
mkdir -p "$system/run/systemd/system"
chroot --userspec=65534:65534 "$system" sh /root/install.sh >"$work/out" 2>&1 && fail 'it ran as nobody'
chmod 0711 "$system/root"; chroot --userspec=65534:65534 "$system" sh /root/install.sh >"$work/out" 2>&1 || true
chmod 0700 "$system/root"
says 'run this as root'
refused 'name --domain and --email, or --listen and --public-url'
refused 'does not exist' --binary /nowhere --listen 127.0.0.1:18080

run --listen 127.0.0.1:18080 --public-url https://example.org || fail 'the installation failed'
says 'https://example.org/admin#setup='
healthy 'not healthy after the installation'
[ "$(owner $data)" = 'respiro 600' ] || fail "the data file: $(owner $data)"
[ "$(owner /etc/respiro/respiro.env)" = 'root 600' ] || fail 'the settings are open to everybody'

run || fail 'the second run failed'
says 'settings are kept'
healthy 'not healthy after the second run'
echo 'corretto cavallo batteria' | respiro admin add me@example.org >/dev/null

run --upgrade || fail 'the upgrade failed'
says 'upgraded to respiro'
healthy 'not healthy after the upgrade'
has_account 'the upgrade'

sleep 1 # copies are named by the second
printf '#!/bin/sh\ncase "$*" in *--version*) echo broken;; *) exit 1;; esac\n' >"$system/root/broken"
chmod +x "$system/root/broken"
refused 'the former one runs again' --settle-seconds 2 --upgrade --binary /root/broken
healthy 'not healthy after the roll-back'
has_account 'the roll-back'

run --uninstall || fail 'removing failed'
[ ! -e "$system/usr/local/bin/respiro" ] || fail 'the program was left behind'
[ -e "$system$data" ] || fail 'removing took the data'
run || fail 'installing again failed'
healthy 'not healthy after installing again'
has_account 'removing and installing'

# At a terminal it asks what no flag says.
run --uninstall || fail 'removing failed'
rm -rf "$system/var/lib/respiro" "$system/etc/respiro"
printf '%s\n' '' https://example.org 'Carla Host, +39 031 1234567' \
  | script -qec "ip netns exec $network chroot $system sh /root/install.sh --settle-seconds 20" "$work/out" >/dev/null \
  || fail 'the installation at a terminal failed'
says 'domain of the site'
says 'public address, like'
says 'https://example.org/admin#setup='
healthy 'not healthy after the installation at a terminal'
grep -q '^RESPIRO_CONTACT=.*Carla Host, +39 031 1234567' "$system/etc/respiro/respiro.env" || fail 'the answer is not in the settings'
done_on
