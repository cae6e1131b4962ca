# mutate_json.py - Changes a JSON text, as a value or as text.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

NUMBERS = [0, 1, -1, 2, 3, 0.5, -0.0, 1e308, 2**31, 2**32, 2**53 + 1, 2**62, 2**63 - 1, 2**63, 2**64, 2**70]
SCALARS = [*NUMBERS, None, True, False, "", "x", "\0", "\ud800", "é" * 3, "\U0001f600"]
TOKENS = ["{", "}", "[", "]", ",", ":", '"', "\\", "\\u0000", "\\ud800", "NaN", "-Infinity", "1e999", "0" * 30,
          "9" * 40, "//", "\t", "\0", "\ufeff", "[" * 300, '{"a":' * 300, " " * 50]  # fmt: skip


def list_places(value, found):
    """All objects and arrays of `value`."""
    if isinstance(value, (dict, list)):
        found.append(value)
        for one in value.values() if isinstance(value, dict) else value:
            list_places(one, found)
    return found


def nest(value, depth):
    for _ in range(depth):
        value = [value]
    return value


def change(value, rng, other):
    """Something else for `value`; `other` makes what its place may hold."""
    action = rng.randrange(6)
    if action == 0:
        return rng.choice(SCALARS)
    if action == 1:
        return nest(value, rng.choice([1, 2, 50, 400]))
    if action == 2 and isinstance(value, (int, float)) and not isinstance(value, bool):
        return rng.choice([value + 1, value - 1, value * 2, -value, str(value)])
    if action == 3 and isinstance(value, str):
        place = rng.randrange(len(value) + 1)
        return value[:place] + rng.choice(["", "x", "<", ">", "[", "0", " ", "é"]) + value[place + rng.randrange(3) :]
    return other(rng)


def mutate_value(value, rng, other):
    """Changes one place of `value`, an object, in place."""
    place = rng.choice(list_places(value, []))
    keys = list(place) if isinstance(place, dict) else list(range(len(place)))
    if not keys:
        return
    key = rng.choice(keys)
    action = rng.randrange(8)
    if action == 0:
        del place[key]
    elif action == 1 and isinstance(place, dict):
        place[rng.choice(["x", "", key + "x", rng.choice(keys)])] = place[key]
    elif action == 2 and isinstance(place, list):
        place.append(place[key])
    else:
        place[key] = change(place[key], rng, other)


def repeat_member(text, rng):
    """The text with one `"key": value` twice, which no value of Python can say."""
    starts = [place for place in range(len(text)) if text.startswith('"', place)]
    start = rng.choice(starts) if starts else 0
    stop = text.find(",", start)
    return text[:stop] + "," + text[start:stop] + text[stop:] if stop > 0 else text


def mutate_text(text, rng):
    action = rng.randrange(4)
    if action == 0:
        return repeat_member(text, rng)
    place = rng.randrange(len(text) + 1)
    return text[:place] + (rng.choice(TOKENS) if action < 3 else "") + text[place + rng.choice([0, 0, 1, 1, 5]) :]


def mutate(value, rng, other):
    """Bytes of JSON that are nearly `value`, which is changed."""
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        mutate_value(value, rng, other)
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.3:
        text = mutate_text(text, rng)
    data = bytearray(text.encode(errors="surrogatepass"))
    if data and rng.random() < 0.1:
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)
