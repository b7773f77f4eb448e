"""Makes fraunces.ttf: one weight of Fraunces, Latin only, for the titles on social previews.

usage: make.py node_modules/@fontsource-variable/fraunces   (needs fonttools and brotli)
"""
import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._k_e_r_n import KernTable_format_0
from fontTools.varLib import instancer

LETTERS = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x100)])) + "ŒœŸıłŁ–—‘’‚“”„•…‹›€™ﬁﬂ"
KERNED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzàèéìòùÀÈÉÌÒÙ0123456789.,;:'’«»“”-–"


def kerning(font, letters):
    """Pairs of the GPOS kern feature: the text drawing of the site reads only the older table."""
    cmap = font.getBestCmap()
    names = {cmap[ord(c)] for c in letters if ord(c) in cmap}
    gpos = font["GPOS"].table
    indices = {i for f in gpos.FeatureList.FeatureRecord if f.FeatureTag == "kern" for i in f.Feature.LookupListIndex}
    pairs = {}
    for index in sorted(indices):
        for table in gpos.LookupList.Lookup[index].SubTable:
            table = getattr(table, "ExtSubTable", table)
            if table.LookupType != 2:
                continue
            for position, left in enumerate(table.Coverage.glyphs):
                if left not in names:
                    continue
                if table.Format == 1:
                    rows = [(r.SecondGlyph, r.Value1) for r in table.PairSet[position].PairValueRecord]
                else:
                    record = table.Class1Record[table.ClassDef1.classDefs.get(left, 0)].Class2Record
                    rows = [(n, record[table.ClassDef2.classDefs.get(n, 0)].Value1) for n in names]
                for right, value in rows:
                    if right in names and value is not None and getattr(value, "XAdvance", 0):
                        pairs.setdefault((left, right), value.XAdvance)
    return pairs


def main():
    source = pathlib.Path(sys.argv[1]) / "files" / "fraunces-latin-opsz-normal.woff2"
    font = instancer.instantiateVariableFont(TTFont(source), {"wght": 420, "opsz": 72})
    pairs = kerning(font, KERNED)
    table, kern = KernTable_format_0(), newTable("kern")
    table.coverage, table.kernTable, table.apple, table.version, table.format = 1, pairs, False, 0, 0
    kern.version, kern.kernTables = 0, [table]
    font["kern"] = kern
    options = subset.Options(layout_features=[], hinting=False, name_IDs=[0, 1, 2, 13, 14], legacy_kern=True, drop_tables=["GSUB", "GPOS", "GDEF", "STAT"])
    cutter = subset.Subsetter(options)
    cutter.populate(text=LETTERS)
    cutter.subset(font)
    font.flavor = None
    target = pathlib.Path(__file__).resolve().parent / "fraunces.ttf"
    font.save(target)
    print(len(pairs), "pairs", target.stat().st_size, "bytes")


main()
