#!/usr/bin/env bash
# Cuts the fonts of the site out of @fontsource-variable (both under the SIL Open Font License 1.1):
# Latin letters of Italian and its neighbours, and only the weights that the styles use.
# Needs Python with fonttools and brotli. Run in ui/ after npm ci; the results are committed.
set -euo pipefail
cd "$(dirname "$0")/../../.."
packages=node_modules/@fontsource-variable
out=src/styles/fonts
temporary=$(mktemp --suffix=.woff2)
trap 'rm -f "$temporary"' EXIT
letters='U+0020-007E,U+00A0-00FF,U+0152-0153,U+2010-2015,U+2018-201E,U+2022,U+2026,U+2030,U+2039-203A,U+20AC,U+2122,U+2190-2193,U+2212'
# The serif stands in headings and quotes: Italian, French, German and Spanish.
serif='U+0020-007E,U+00A0,U+00A9,U+00AB,U+00AE,U+00B0,U+00B7,U+00BB,U+00BF,U+00C0-00C2,U+00C4,U+00C7-00CF,U+00D1-00D4,U+00D6,U+00D9-00DC,U+00DF-00E2,U+00E4,U+00E7-00EF,U+00F1-00F4,U+00F6,U+00F9-00FC,U+2013,U+2014,U+2018,U+2019,U+201C-201E,U+2022,U+2026,U+2032,U+20AC'

cut() {
  local from=$1 limits=$2 to=$3 unicodes=$4
  python3 -m fontTools.varLib.instancer "$packages/$from" $limits -o "$temporary" -q
  python3 -m fontTools.subset "$temporary" --unicodes="$unicodes" --flavor=woff2 --no-hinting \
    --layout-features=rvrn,kern,liga,mark,mkmk,ccmp,locl,lnum,pnum,tnum --output-file="$out/$to"
}

cut fraunces/files/fraunces-latin-wght-normal.woff2 'wght=300:450' fraunces.woff2 "$serif"
cut fraunces/files/fraunces-latin-wght-italic.woff2 'wght=400' fraunces-italic.woff2 "$serif"
cut figtree/files/figtree-latin-wght-normal.woff2 'wght=400:700' figtree.woff2 "$letters"
ls -l "$out"/*.woff2
