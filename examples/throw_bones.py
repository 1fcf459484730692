"""Throw five bones on the drawn table and read what the camera sees."""

from device.simulator.bone_table import BonesTable
from vision import BoneReader, TableReader
from vision.mat.layout import MatLayout

table = BonesTable(MatLayout(seats=4, paper="A2"), seed=22)
print("thrown:", *table.throw(by=0, count=5))
table.settle()
reading = TableReader(bones=BoneReader()).read(table.frame())
print("read:", *(bone.face for bone in reading.bones), "total", reading.bones_total)
