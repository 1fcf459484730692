"""Make the play mat: ``python examples/mat.py mat.pdf`` writes it, and a small picture of it."""

import sys
from pathlib import Path

import cv2

from device.printing.mat_pdf import mat_pdf
from vision.mat.artwork import draw_mat
from vision.mat.layout import MatLayout

layout, out = MatLayout(seats=4, paper="A2"), Path(sys.argv[1])
out.write_bytes(mat_pdf(layout, tile="A4"))
cv2.imwrite(str(out.with_suffix(".png")), draw_mat(layout, px_per_mm=1.5))
print(out, "for a printer at home, and", out.with_suffix(".png"), "to look at")
