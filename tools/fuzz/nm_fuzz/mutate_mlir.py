# mutate_mlir.py - Changes the text of a module as somebody who knows MLIR would.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

SHAPE = re.compile(r"(?<![\w.%])((?:(?:\d+|\?)x)+)(?=[a-z!])")
ELEMENT = re.compile(r"(?<![\w.%-])(?:(?<=x)|\b)(f16|bf16|f32|f64|i1|i8|i16|i32|i64|index)\b")
ELEMENT_IN_SHAPE = r"(?:(?<=\dx)|(?<=\?x)|(?<![\w.%-]))"
VALUE = re.compile(r"%[\w$.-]+")
INTEGER = re.compile(r"(?<![\w.%#@x-])-?\d+(?![\w.x])")
FLOAT = re.compile(r"(?<![\w.%])-?\d+\.\d*(?:[eE][+-]?\d+)?")
TOKEN = re.compile(r'"[^"\n]*"|[%@#!^]?[\w.$]+|\s+|.')
MAP = re.compile(r"affine_map<\(([^)]*)\)(\[[^\]]*\])? -> \(([^)]*)\)>")

FLOATS = ["f16", "bf16", "f32", "f64"]
INTEGERS = ["i1", "i8", "i16", "i32", "i64"]
OTHER_TYPES = ["index", "f8E4M3FN", "f80", "f128", "complex<f32>", "i0", "i7", "i128", "ui8", "si32"]
# Operations that take each other's place without another edit.
CLASSES = [
    "arith.addf arith.subf arith.mulf arith.divf arith.maximumf arith.minimumf arith.maxnumf "
    "arith.minnumf arith.remf math.powf math.atan2 math.copysign",
    "arith.addi arith.subi arith.muli arith.divsi arith.divui arith.remsi arith.remui "
    "arith.ceildivsi arith.floordivsi arith.andi arith.ori arith.xori arith.shli arith.shrsi "
    "arith.shrui arith.maxsi arith.minui",
    "math.exp math.log math.sqrt math.rsqrt math.tanh math.erf math.sin math.cos math.absf "
    "math.floor math.ceil math.round math.roundeven math.trunc math.exp2 math.expm1 math.log1p "
    "math.log2 math.cbrt math.tan math.atan arith.negf",
    "linalg.add linalg.sub linalg.mul linalg.div linalg.max linalg.min",
    "linalg.exp linalg.log linalg.abs linalg.ceil linalg.floor linalg.negf linalg.sqrt "
    "linalg.tanh linalg.square",
    "arith.sitofp arith.uitofp",
    "arith.fptosi arith.fptoui",
    "arith.extsi arith.extui arith.trunci",
    "arith.extf arith.truncf",
    "oeq olt ole ogt oge one ord ueq ult ule ugt uge une uno",
    "eq ne slt sle sgt sge ult ule ugt uge",
    "parallel reduction",
]
TO_INTEGER = {
    "arith.addf": "arith.addi", "arith.subf": "arith.subi", "arith.mulf": "arith.muli",
    "arith.divf": "arith.divsi", "arith.maximumf": "arith.maxsi", "arith.minimumf": "arith.minsi",
    "arith.remf": "arith.remsi", "arith.cmpf": "arith.cmpi",
}  # fmt: skip
SMALL = [0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 33]
HUGE = [-1, -7, 127, 128, 255, 256, 2**31 - 1, 2**31, 2**32, 2**47, 2**63 - 1, -(2**63), 2**64]
NUMBERS = "0.0 -0.0 1.0 -1.0 1.0e-45 1.0e30 -3.5 0x7FC00000 0x7F800000 0xFF800000".split()


def replace_match(text, match, word):
    return text[: match.start()] + word + text[match.end() :]


def choose(pattern, text, rng):
    """A random match; None when there is none."""
    matches = list(pattern.finditer(text))
    return rng.choice(matches) if matches else None


def choose_size(rng, is_small):
    if is_small or rng.random() < 0.85:
        return str(rng.choice(SMALL))
    return str(rng.choice(HUGE))


def change_extent(text, rng, is_small):
    """One extent, in all shapes that have it."""
    match = choose(SHAPE, text, rng)
    if not match:
        return None
    old = rng.choice(match.group(1).rstrip("x").split("x"))
    new = "?" if rng.random() < 0.2 else choose_size(rng, is_small).lstrip("-")

    def edit(found):
        return "".join((new if word == old else word) + "x" for word in found[1].split("x")[:-1])

    if rng.random() < 0.2:
        return replace_match(text, match, edit(match))
    text = SHAPE.sub(edit, text)
    if old != "?" and new != "?" and rng.random() < 0.4:
        text = re.sub(rf"(?<![\w.%#@x-]){old}(?![\w.x])", new, text)
    return text


def change_element(text, rng, is_small):
    """One element type, wherever it stands; operations and constants with it."""
    match = choose(ELEMENT, text, rng)
    if not match:
        return None
    old = match.group(1)
    new = rng.choice(FLOATS + INTEGERS + (OTHER_TYPES if rng.random() < 0.3 else []))
    text = re.sub(rf"{ELEMENT_IN_SHAPE}{old}\b", new, text)
    if old in FLOATS and new in INTEGERS:
        for name, other in TO_INTEGER.items():
            text = text.replace(name, other)
        text = FLOAT.sub(lambda found: str(int(float(found[0]))), text)
        text = re.sub(r"\bo(eq|lt|le|gt|ge|ne)\b", r"s\1", text).replace("seq", "eq")
    return text


def change_operation(text, rng, is_small):
    names = rng.choice(CLASSES).split()
    pattern = re.compile(r"(?<![\w.])(" + "|".join(map(re.escape, names)) + r")(?![\w.])")
    match = choose(pattern, text, rng)
    return match and replace_match(text, match, rng.choice(names))


def change_integer(text, rng, is_small):
    match = choose(INTEGER, text, rng)
    if not match:
        return None
    old = int(match.group())
    near = [old + 1, old - 1, -old, 2 * old]
    word = str(rng.choice(near)) if rng.random() < 0.5 else choose_size(rng, is_small)
    return replace_match(text, match, word)


def change_float(text, rng, is_small):
    match = choose(FLOAT, text, rng)
    return match and replace_match(text, match, rng.choice(NUMBERS))


def change_value(text, rng, is_small):
    """Another SSA value of the text in the place of one."""
    match = choose(VALUE, text, rng)
    other = choose(VALUE, text, rng)
    return match and replace_match(text, match, other.group())


def change_map(text, rng, is_small):
    match = choose(MAP, text, rng)
    if not match or not match.group(3):
        return None
    dimensions = [word.strip() for word in match.group(1).split(",")]
    results = [word.strip() for word in match.group(3).split(",")]
    place = rng.randrange(len(results))
    dimension = rng.choice(dimensions) or "0"
    choices = [dimension, "0", "1", f"{dimension} + 1", f"{dimension} * 2", f"{dimension} floordiv 2",
               f"{dimension} mod 2", f"{dimension} + {rng.choice(dimensions) or '1'}"]  # fmt: skip
    action = rng.randrange(4)
    if action == 0:
        rng.shuffle(results)
    elif action == 1 and len(results) > 1:
        del results[place]
    else:
        results[place] = rng.choice(choices)
    new = f"affine_map<({match[1]}){match[2] or ''} -> ({', '.join(results)})>"
    if rng.random() < 0.5:
        return text.replace(match.group(), new)
    return replace_match(text, match, new)


def change_lines(text, rng, is_small):
    lines = text.splitlines(keepends=True)
    place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    action = rng.randrange(3)
    if action == 0:
        del lines[place]
    elif action == 1:
        lines.insert(other, lines[place])
    else:
        lines[place], lines[other] = lines[other], lines[place]
    return "".join(lines)


def change_token(text, rng, is_small):
    tokens = TOKEN.findall(text.replace("\n", " \n"))
    place = rng.randrange(len(tokens))
    action = rng.randrange(3)
    if action == 0:
        del tokens[place]
    elif action == 1:
        tokens[place] = rng.choice(tokens)
    else:
        tokens.insert(place, rng.choice(tokens))
    return "".join(tokens)


def change_attribute(text, rng, is_small):
    """Removes one `name = value` of a dictionary."""
    match = choose(re.compile(r"(?<=[{,<( ])\w+ = [^,{}<>%\n]+,? ?"), text, rng)
    return match and replace_match(text, match, "")


def change_byte(text, rng, is_small):
    place = rng.randrange(len(text))
    return text[:place] + chr(rng.choice([0, 9, 34, 40, 60, 92, 123, 125, 127])) + text[place + 1 :]


EDITS = {
    change_extent: 8, change_element: 6, change_operation: 5, change_integer: 5, change_float: 3,
    change_value: 5, change_map: 5, change_lines: 2, change_token: 2, change_attribute: 2,
    change_byte: 0.3,
}  # fmt: skip


def mutate(text, rng, is_small=False):
    """Makes one to three edits. With `is_small`, sizes and numbers stay such that
    what they lead to is computed soon."""
    done, wanted = 0, rng.choice([1, 1, 1, 2, 2, 3])
    for _ in range(20):
        edit = rng.choices(list(EDITS), list(EDITS.values()))[0]
        changed = edit(text, rng, is_small)
        if changed and changed != text:
            text = changed
            done += 1
            if done == wanted:
                break
    return text
