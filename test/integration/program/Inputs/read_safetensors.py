"""Reads a file as its format says, without nm: huggingface.co/docs/safetensors."""

import json
import sys

BYTES = {"U8": 1, "BOOL": 1, "I8": 1, "F16": 2, "I32": 4, "F32": 4, "I64": 8, "F64": 8}

with open(sys.argv[1], "rb") as file:
    data = file.read()
length = int.from_bytes(data[:8], "little")
header = json.loads(data[8 : 8 + length])
assert header.pop("__metadata__")["format"] == "nm"
place = 0
for name, tensor in header.items():
    begin, end = tensor["data_offsets"]
    size = BYTES[tensor["dtype"]]
    for extent in tensor["shape"]:
        size *= extent
    assert begin == place, "holes are not allowed"
    assert end - begin == size, name
    place = end
    print(name, tensor["dtype"], tensor["shape"])
assert 8 + length + place == len(data)
print("all bytes belong to a tensor")
