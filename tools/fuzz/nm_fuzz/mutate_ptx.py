# mutate_ptx.py - Changes PTX text.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import re

REGISTER = re.compile(r"%[a-z]+\d+|%(?:tid|ntid|ctaid|nctaid)\.[xyz]")
MODIFIER = re.compile(r"\.[a-z]\w*")
NUMBER = re.compile(r"(?<![\w.%])(?:0[xfd][0-9a-fA-F]+|-?\d+)(?![\w.])")
OPCODE = re.compile(r"^(\s*(?:@!?%\w+\s+)?)([a-z]\w*)(?=[.\s;])", re.MULTILINE)
OPERAND = re.compile(r"(?<=[\s,\[{(])[%\w.+-]+(?=[,;\]})])")
TOKEN = re.compile(r"[%.]?[\w$]+|\s+|.")
NUMBERS = ["0", "1", "-1", "2", "3", "7", "31", "32", "33", "63", "64", "255", "1024", "65536",
           "2147483647", "2147483648", "4294967295", "9223372036854775807", "18446744073709551615",
           "0x7fffffff", "0f7FC00000", "0f7F800000", "0f00000001", "0d7FF0000000000000"]  # fmt: skip
TYPES = ".b8 .b16 .b32 .b64 .b128 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f16 .f16x2 .bf16 .bf16x2 " \
        ".f32 .f64 .pred .tf32".split()  # fmt: skip
SPACES = ".global .shared .local .param .const".split()
MODIFIERS = TYPES + SPACES + (
    ".v2 .v4 .rn .rz .rm .rp .rni .rzi .ftz .sat .approx .full .lo .hi .wide .relu .cc .eq .ne .lt "
    ".le .gt .ge .lo .ls .and .or .xor .sync .aligned .arrive .red .popc .up .down .bfly .idx .all "
    ".any .uni .ballot .cta .gpu .sys .add .min .max .exch .cas .inc .dec .x1 .x2 .x4 .trans .row "
    ".col .m8n8 .m16n8k16 .m16n8k8 .cg .ca .commit_group .wait_group .wait_all .volatile .relaxed"
).split()
OPCODES = (
    "add sub mul mad mul24 mad24 sad div rem abs neg min max popc clz bfind fns brev bfe bfi dp4a "
    "fma rcp sqrt rsqrt sin cos lg2 ex2 tanh copysign testp setp set selp slct and or xor not cnot "
    "lop3 shf shl shr mov prmt ld st ldu cvt cvta isspacep bra brx call ret exit bar barrier membar "
    "fence atom red vote match activemask redux shfl ldmatrix stmatrix mma cp elect trap nanosleep"
).split()


def choose(pattern, text, rng):
    matches = list(pattern.finditer(text))
    return rng.choice(matches) if matches else None


def replace(pattern, words):
    """An edit that puts a word in the place of a match; without words another match."""

    def edit(text, rng):
        match = choose(pattern, text, rng)
        if not match:
            return None
        word = rng.choice(words) if words else choose(pattern, text, rng).group()
        return text[: match.start()] + word + text[match.end() :]

    return edit


def change_opcode(text, rng):
    match = choose(OPCODE, text, rng)
    return match and text[: match.start()] + match[1] + rng.choice(OPCODES) + text[match.end() :]


def change_modifiers(text, rng):
    """Adds or removes one of an instruction's modifiers."""
    match = choose(MODIFIER, text, rng)
    if not match:
        return None
    word = "" if rng.random() < 0.6 else match.group() + rng.choice(MODIFIERS)
    return text[: match.start()] + word + text[match.end() :]


def change_operands(text, rng):
    """Removes an operand, or all of an instruction's, or repeats one."""
    match = choose(OPERAND, text, rng)
    if not match:
        return None
    action = rng.randrange(3)
    if action == 0:
        start = text.rfind(" ", 0, match.start()) + 1
        return text[:start] + text[text.find(";", match.end()) :]
    word = "" if action == 1 else f"{match.group()}, {match.group()}"
    return text[: match.start()] + word + text[match.end() :]


def change_predicate(text, rng):
    match = choose(OPCODE, text, rng)
    predicate = choose(re.compile(r"%p\d+"), text, rng)
    if not match or not predicate:
        return None
    word = "" if "@" in match[1] else f"@{rng.choice(['', '!'])}{predicate.group()} "
    return text[: match.start()] + "\t" + word + match[2] + text[match.end() :]


def change_lines(text, rng):
    lines = text.splitlines(keepends=True)
    place, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    action = rng.randrange(3)
    if action == 0:
        del lines[place : place + rng.choice([1, 1, 1, 3])]
    elif action == 1:
        lines.insert(other, lines[place])
    else:
        lines[place], lines[other] = lines[other], lines[place]
    return "".join(lines)


def change_token(text, rng):
    tokens = TOKEN.findall(text.replace("\n", " \n"))
    place = rng.randrange(len(tokens))
    action = rng.randrange(3)
    if action == 0:
        del tokens[place]
    else:
        tokens[place : place + action - 1] = [rng.choice(tokens)]
    return "".join(tokens)


def change_byte(text, rng):
    place = rng.randrange(len(text))
    if rng.random() < 0.2:
        return text[:place]
    return text[:place] + chr(rng.randrange(128)) + text[place + 1 :]


EDITS = {
    replace(REGISTER, None): 5, replace(NUMBER, NUMBERS): 5, replace(MODIFIER, MODIFIERS): 5,
    replace(re.compile("|".join(map(re.escape, TYPES))), TYPES): 4, change_opcode: 4,
    change_modifiers: 3, change_operands: 4, change_predicate: 2, change_lines: 3, change_token: 2,
    change_byte: 0.7,
}  # fmt: skip


def mutate(text, rng):
    for _ in range(rng.choice([1, 1, 2, 2, 3, 5])):
        edit = rng.choices(list(EDITS), list(EDITS.values()))[0]
        text = edit(text, rng) or text
        if not text:
            return " "
    return text
