#!/usr/bin/env bash
# The files that .ci/release.sh made: checksums, signature, contents, the container image, installation in chroots, and
# the arm64 program under qemu.
#
#   bash tests/release.sh [FOLDER] [SUITE=MIRROR]…     root needed; ten minutes; suites default to bookworm and trixie
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
files=$(readlink -f "${1:-$repository/target/release-files}")
shift || true
suites=("$@")
[[ ${#suites[@]} -gt 0 ]] || suites=(bookworm=http://deb.debian.org/debian trixie=http://deb.debian.org/debian)
[[ $(id -u) == 0 ]] || { echo 'tests/release.sh: not root, skipped'; exit 0; }
work=$(mktemp -d)
server=''
cleanup() {
  if [[ -n $server ]]; then kill "$server" 2>/dev/null || true; fi
  wait
  rm -rf "$work"
}
trap cleanup EXIT
fail() { printf 'tests/release.sh: %s\n' "$*" >&2; cat "$work/out" >&2 2>/dev/null || true; exit 1; }
say() { printf 'tests/release.sh: %s\n' "$*"; }
cd "$files"
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' "$repository/Cargo.toml")

# Checksums name every file, and the signature is of them.
sha256sum --check --strict --quiet SHA256SUMS || fail 'a checksum is wrong'
unnamed=$(comm -23 <(find . -type f ! -name 'SHA256SUMS*' -printf '%P\n' | sort) <(cut -c 67- SHA256SUMS | sort))
[[ -z $unnamed ]] || fail "not in SHA256SUMS: $unnamed"
mapfile -t programs < <(ls respiro-*-linux-gnu.tar.gz)
[[ ${#programs[@]} -gt 0 ]] || fail 'no tarball'
if [[ -e SHA256SUMS.minisig ]]; then
  key=$repository/.ci/release-keys.pub
  [[ ! -e $repository/target/release-test-key/key.pub ]] || key=$repository/target/release-test-key/key.pub
  comment=$(minisign -V -Q -P "$(grep '^RW' "$key" | head -n 1)" -m SHA256SUMS) || fail 'the signature is wrong'
  targets=$(printf '%s\n' "${programs[@]}" | sed "s/^respiro-$version-//; s/\.tar\.gz\$//" | sort -r | paste -sd ,)
  [[ $comment == "respiro version=$version targets=$targets" ]] || fail "the trusted comment: $comment"
  say "signed: $comment"
else
  say 'NOT SIGNED YET'
fi
! grep -q '(unreleased)' "respiro-$version-notes.md" && [[ $(wc -l <"respiro-$version-notes.md") -gt 20 ]] || fail 'the notes'

# The SBOM has a package URL for each crate and package, and the crates that Cargo.lock names.
node -e '
  const bom = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"))
  const of = (kind) => bom.components.filter(({ purl }) => purl.startsWith(`pkg:${kind}/`)).length
  if (bom.bomFormat !== "CycloneDX" || of("cargo") < 200 || of("npm") < 5 || of("deb") < 1) process.exit(1)
  if (new Set(bom.components.map(({ purl }) => purl)).size !== bom.components.length) process.exit(1)
  console.log(`tests/release.sh: SBOM with ${of("cargo")} crates, ${of("npm")} npm packages and typefaces, ${of("deb")} Debian package`)
' "respiro-$version.cdx.json" || fail 'the SBOM'

# The image: an index of the architectures whose blobs are what their digests say, and the program runs in it alone.
image=$work/image
mkdir "$image"
tar -xf "respiro-$version-oci.tar" -C "$image"
for blob in "$image"/blobs/sha256/*; do
  [[ $(sha256sum "$blob" | cut -c 1-64) == "$(basename "$blob")" ]] || fail "the digest of $blob"
done
python3 - "$image" "$work" <<'READ' || fail 'the image'
import json, pathlib, sys
image, work = map(pathlib.Path, sys.argv[1:])
blob = lambda it: image / "blobs/sha256" / it["digest"].split(":")[1]
(index,) = json.loads((image / "index.json").read_text())["manifests"]
for entry in json.loads(blob(index).read_text())["manifests"]:
    manifest = json.loads(blob(entry).read_text())
    config = json.loads(blob(manifest["config"]).read_text())
    assert config["architecture"] == entry["platform"]["architecture"]
    assert config["config"]["User"] == "65532:65532" and config["config"]["Entrypoint"] == ["/respiro"], config
    (layer,) = manifest["layers"]
    (work / f"layer-{config['architecture']}").symlink_to(blob(layer))
READ
if command -v skopeo >/dev/null; then skopeo inspect --raw "oci-archive:respiro-$version-oci.tar" >"$work/out" 2>&1 || fail 'skopeo does not read the image'; fi

unpack_tarball() {
  local folder=$work/$1
  mkdir -p "$folder"
  tar -xzf "respiro-$version-$1-linux-gnu.tar.gz" -C "$folder" --strip-components=1
  for name in respiro install.sh respiro.1 completions/_respiro LICENSE licenses.txt README.md; do
    [[ -s $folder/$name ]] || fail "no $name in the tarball of $1"
  done
  strange=$(readelf -V "$folder/respiro" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
  [[ $(printf '%s\n' "$strange" GLIBC_2.28 | sort -V | tail -n 1) == GLIBC_2.28 ]] || fail "$1 needs $strange"
}

# Start, first page, uploads, backup and restore with the container's own C library: under qemu for another architecture.
try_image() {
  local target=$1 architecture=$2
  local root=$work/root-$architecture
  mkdir -p "$root"
  tar -xzf "$work/layer-$architecture" -C "$root"
  cmp -s "$root/respiro" "$work/$target/respiro" || fail "image and tarball of $target hold different programs"
  python3 "$repository/tests/release.py" "$root" "$target" "$repository" || fail "$target: see the lines above"
}
# A program of another architecture is run by qemu, which the kernel starts.
register_emulator() {
  local formats=/proc/sys/fs/binfmt_misc
  [[ -e $formats/register ]] || mount -t binfmt_misc binfmt_misc "$formats"
  [[ -e $formats/qemu-$1 ]] || cat "/usr/lib/binfmt.d/qemu-$1.conf" >"$formats/register" || fail "qemu-$1 cannot be registered: install qemu-user-static"
}
for name in "${programs[@]}"; do
  case $name in
    *x86_64*) target=x86_64 architecture=amd64 ;;
    *) target=aarch64 architecture=arm64 ;;
  esac
  [[ $target == "$(uname -m)" ]] || register_emulator "$target"
  unpack_tarball "$target"
  try_image "$target" "$architecture"
done

# Installation from both files. A mirror that does not answer is said, and fails nothing.
for pair in "${suites[@]}"; do
  suite=${pair%%=*} mirror=${pair#*=}
  if ! curl -fsS -o /dev/null --max-time 30 "$mirror/dists/$suite/Release"; then
    say "NOT RUN on $suite: $mirror does not answer"
    continue
  fi
  for name in "respiro-$version-x86_64-linux-gnu.tar.gz" "respiro_${version}_amd64.deb"; do
    CHROOT=$work/$suite bash "$repository/tests/install-chroot.sh" "$name" "$suite" "$mirror" || fail "$name on $suite"
  done
done
say 'all well'
