"""The version of nm stands in three places, and is one."""

import pathlib
import re

import nm

ROOT = pathlib.Path(__file__).resolve().parents[2]


def find(file, pattern):
    return re.search(pattern, (ROOT / file).read_text(), re.MULTILINE)[1]


def test_version():
    version = find("CMakeLists.txt", r"^project\(nm VERSION ([0-9.]+)")
    assert version == find("python/pyproject.toml", r'^version = "([0-9.]+)"')
    assert version == nm.__version__
