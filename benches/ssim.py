"""Structural similarity (Wang et al. 2004, Gaussian window) of pictures to the source they came from.

    python3 -m venv venv && venv/bin/pip install scikit-image pillow
    venv/bin/python benches/ssim.py SOURCE MADE...      one value a line

The source is resized by Pillow's Lanczos filter to the size of each picture; lightness is compared.
"""

import sys

import numpy
from PIL import Image
from skimage.metrics import structural_similarity

Image.MAX_IMAGE_PIXELS = None
source = Image.open(sys.argv[1]).convert("RGB")
for name in sys.argv[2:]:
    made = Image.open(name).convert("L")
    wanted = source.resize(made.size, Image.Resampling.LANCZOS).convert("L")
    value = structural_similarity(
        numpy.asarray(wanted),
        numpy.asarray(made),
        gaussian_weights=True,
        sigma=1.5,
        use_sample_covariance=False,
        data_range=255,
    )
    print(f"{value:.4f}")
