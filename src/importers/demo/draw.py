"""Renders art/*.svg to pictures/ with Chromium and Pillow: python3 src/importers/demo/draw.py [name...]

Needed only after a drawing changed. The pictures are committed, so that a build needs neither.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
WIDTH_PIXELS = 1280
PORTRAIT_WIDTH_PIXELS = 1000
JPEG_QUALITY = 84
WEBP_QUALITY = 82
# Photographs arrive as JPEG, and the tests upload these; the others are half the size as WebP.
JPEG_NAMES = {"event-1", "gallery-1", "gallery-2", "gallery-3", "gallery-4"}
CHROMIUM = [
    "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
    "--disable-background-networking", "--hide-scrollbars",
]


def size_of(svg):
    width, height = map(float, re.search(r'viewBox="0 0 (\S+) (\S+)"', svg).groups())
    across = WIDTH_PIXELS if width > height else PORTRAIT_WIDTH_PIXELS
    return across, round(across * height / width)


def draw(name, scratch):
    svg = (HERE / "art" / f"{name}.svg").read_text()
    width, height = size_of(svg)
    page, shot = scratch / f"{name}.html", scratch / f"{name}.png"
    scaled = re.sub(r'width="\d+" height="\d+" preserve', 'width="100%" height="100%" preserve', svg, count=1)
    # Twice the size and reduced: edges come out smoother than the browser draws them.
    page.write_text(f'<style>body{{margin:0;width:{width}px;height:{height}px}}svg{{display:block}}</style>{scaled}')
    subprocess.run(
        CHROMIUM + ["--force-device-scale-factor=2", f"--window-size={width},{height}",
                    f"--screenshot={shot}", page.as_uri()],
        check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=60)
    picture = Image.open(shot).convert("RGB").resize((width, height), Image.Resampling.LANCZOS)
    if name in JPEG_NAMES:
        picture.save(HERE / "pictures" / f"{name}.jpg", quality=JPEG_QUALITY, optimize=True, progressive=True)
    else:
        picture.save(HERE / "pictures" / f"{name}.webp", quality=WEBP_QUALITY, method=6)


def main():
    names = sys.argv[1:] or sorted(path.stem for path in (HERE / "art").glob("*.svg"))
    with tempfile.TemporaryDirectory() as scratch:
        for name in names:
            draw(name, pathlib.Path(scratch))


main()
