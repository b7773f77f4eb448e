#!/usr/bin/env bash
# Cuts the fonts of the site out of @fontsource-variable (both under the SIL Open Font License 1.1):
# each face in two, what Italian is written with and the letters and signs beside it, which are
# asked for by pages that show one (`unicode-range` in tokens.css), and only the weights that the styles use.
# Needs Python with fonttools and brotli. Run in ui/ after npm ci; the results are committed.
set -euo pipefail
cd "$(dirname "$0")/../../.."
packages=node_modules/@fontsource-variable
out=src/styles/fonts
temporary=$(mktemp --suffix=.woff2)
trap 'rm -f "$temporary"' EXIT
accents='U+00C0,U+00C8,U+00C9,U+00CC,U+00D2,U+00D9,U+00E0,U+00E8,U+00E9,U+00EC,U+00F2,U+00F9'
marks='U+00A0,U+00AB,U+00B0,U+00B7,U+00BB,U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026,U+20AC'
# Headings and quotes hold no brackets, signs of arithmetic or arrows.
serif="U+0020-0022,U+0025-0029,U+002C-003B,U+003F,U+0041-005A,U+0061-007A,$accents,$marks"
sans="U+0020-007E,U+00A3,U+00A9,U+00AA,U+00AE,U+00B2,U+00BA,U+00BD,U+2011,U+201E,U+2022,U+2122,U+2212,U+2190-2193,$accents,$marks"
# French, German and Spanish.
more='U+00A1,U+00BF,U+00C1-00C7,U+00CA-00CB,U+00CD-00D1,U+00D3-00D8,U+00DA-00DF,U+00E1-00E7,U+00EA-00EB,U+00ED-00F1,U+00F3-00F8,U+00FA-00FF,U+0152-0153'
serif_more="U+0023-0024,U+002A-002B,U+0040,$more"

# Shapes that other shapes take the place of at every weight that is left: the letters name those at once.
settle() {
  python3 - "$1" <<'PYTHON'
import sys
from fontTools.ttLib import TTFont

font = TTFont(sys.argv[1], recalcTimestamp=False)
table = font["GSUB"].table
pinned = "fvar" not in font
always = [i for f in table.FeatureList.FeatureRecord if pinned and f.FeatureTag == "rvrn" for i in f.Feature.LookupListIndex]
for change in [] if pinned else table.FeatureVariations.FeatureVariationRecord[:1]:
    axis = font["fvar"].axes[0]
    lowest, highest = -float(axis.minValue < axis.defaultValue), float(axis.maxValue > axis.defaultValue)
    conditions = change.ConditionSet.ConditionTable
    if all(c.FilterRangeMinValue <= lowest and c.FilterRangeMaxValue >= highest for c in conditions):
        always += [i for s in change.FeatureTableSubstitution.SubstitutionRecord for i in s.Feature.LookupListIndex]
places = {}
for index in always:
    for part in table.LookupList.Lookup[index].SubTable:
        places.update(getattr(part, "ExtSubTable", part).mapping)
for names in font["cmap"].tables:
    names.cmap = {letter: places.get(shape, shape) for letter, shape in names.cmap.items()}
font.save(sys.argv[1])
PYTHON
}

cut() {
  local from=$1 limits=$2 to=$3 unicodes=$4
  python3 -m fontTools.varLib.instancer "$packages/$from" "$limits" -o "$temporary" -q
  settle "$temporary"
  python3 -m fontTools.subset "$temporary" --unicodes="$unicodes" --flavor=woff2 --no-hinting \
    --layout-features=rvrn,kern,liga,mark,mkmk,ccmp,locl,lnum,pnum,tnum \
    --name-IDs=0 --drop-tables+=STAT,gasp --output-file="$out/$to"
}

both() {
  cut "$1" "$2" "$3.woff2" "$4"
  cut "$1" "$2" "$3-2.woff2" "$5"
}

# Letters of one weight; what numbers are written with can be lighter. With lighter letters the face is 18 KB.
keep_lighter() {
  python3 - "$1" <<'PYTHON'
import sys
from fontTools.ttLib import TTFont

font = TTFont(sys.argv[1], recalcTimestamp=False)
names = font.getBestCmap()
numbers = {names[ord(sign)] for sign in "0123456789,.:/-–'’€%" if ord(sign) in names}
variations = font["gvar"].variations
for glyph in set(font.getGlyphOrder()) - numbers:
    variations.pop(glyph, None)
# Widths as the outlines say: those of the letters stay too.
del font["HVAR"]
font.save(sys.argv[1])
PYTHON
}

upright=fraunces/files/fraunces-latin-wght-normal.woff2
cut "$upright" wght=300:420 fraunces.woff2 "$serif"
keep_lighter "$out/fraunces.woff2"
cut "$upright" wght=420 fraunces-2.woff2 "$serif_more"
both fraunces/files/fraunces-latin-wght-italic.woff2 wght=400 fraunces-italic "$serif" "$serif_more"
both figtree/files/figtree-latin-wght-normal.woff2 wght=400:700 figtree "$sans" "$more"
ls -l "$out"/*.woff2
