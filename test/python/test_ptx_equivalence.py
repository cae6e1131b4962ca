"""How PTX is read: loops, classes of instructions, what ptxas says; and PTX emulated.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import shutil

import emulate_ptx
import machine_loops
import numpy as np
import ptx_equivalence
import ptx_loops
import pytest

# As LLVM lays out loops, the end of a step stands before its head. Inside is a loop of two
# FMAs, which a step of eight runs four times; another loop follows.
NESTED = """
.version 8.0
.target sm_90
.visible .entry f(
	.param .u64 p
)
{
	ld.param.b64 	%rd1, [p];
	bra.uni 	$L__BB0_1;
$L__BB0_3:                              // what follows the inner loop
	cp.async.wait_group 	0;
	bar.sync 	0;
$L__BB0_1:
	setp.eq.b64 	%p1, %rd1, 8;
	@%p1 bra 	$L__BB0_5;
	@%p3 bra 	$L__BB0_2;
	cp.async.cg.shared.global [%r1], [%rd2], 16;
	cp.async.commit_group;
$L__BB0_2:
	ld.shared.v4.f32 	{%f1, %f2, %f3, %f4}, [%r1];
	ld.shared.v2.b32 	{%r5, %r6}, [%r1+16];
	ld.shared.b32 	%r7, [%r1+24];
	fma.rn.f32 	%f5, %f1, %f2, %f5;
	fma.rn.f32 	%f6, %f1, %f3, %f6;
	add.s64 	%rd3, %rd3, 1;
	mul.wide.u32 	%rd4, %r7, 512;
	@%p2 bra 	$L__BB0_2;
	bra.uni 	$L__BB0_3;
$L__BB0_5:
	fma.rn.f32 	%f5, %f1, %f2, %f5;
	st.global.f32 	[%rd5], %f5;
	@%p4 bra 	$L__BB0_5;
	ret;

}
"""

# Threads that compute, as LLVM lays them out, beside others that copy: each waits for an
# mbarrier in a loop of its own.
ROLES = """
.version 8.0
.target sm_90a
.visible .entry f(
	.param .u64 p
)
{
	@%p1 bra 	$L__BB0_4;
$L__BB0_1:
	mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r1], %r2;
	@%p2 bra 	$L__BB0_2;
	bra.uni 	$L__BB0_1;
$L__BB0_2:
	ld.shared.v4.f32 	{%f1, %f2, %f3, %f4}, [%r1];
	fma.rn.f32 	%f5, %f1, %f2, %f5;
	fma.rn.f32 	%f6, %f1, %f3, %f6;
	fence.proxy.async.shared::cta;
	bar.warp.sync 	-1;
	@%p3 bra 	$L__BB0_3;
	mbarrier.arrive.shared.b64 	%rd1, [%r1];
$L__BB0_3:
	xor.b32 	%r2, %r2, 1;
	@%p4 bra 	$L__BB0_1;
	ret;
$L__BB0_4:
	mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r1], %r2;
	@!%p2 bra 	$L__BB0_4;
	mbarrier.arrive.expect_tx.shared.b64 	%rd1, [%r1], 1024;
	@%p5 bra 	$L__BB0_4;
	ret;

}
"""

DOUBLED = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry doubled(
	.param .u64 from,
	.param .u64 to
)
{
	.reg .b32 	%r<2>;
	.reg .f32 	%f<3>;
	.reg .b64 	%rd<6>;

	ld.param.u64 	%rd1, [from];
	ld.param.u64 	%rd2, [to];
	mov.u32 	%r1, %tid.x;
	mul.wide.u32 	%rd3, %r1, 4;
	add.s64 	%rd4, %rd1, %rd3;
	add.s64 	%rd5, %rd2, %rd3;
	ld.global.f32 	%f1, [%rd4];
	add.f32 	%f2, %f1, %f1;
	st.global.f32 	[%rd5], %f2;
	ret;
}
"""

# Copies a box of four rows and eight columns, from the third row and the fifth column on.
BOX = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry box(
	.param .align 64 .b8 map[128],
	.param .u64 to
)
{
	.reg .pred 	%p<3>;
	.reg .b32 	%r<8>;
	.reg .f32 	%f<2>;
	.reg .b64 	%rd<6>;
	.shared .align 128 .b8 tile[128];
	.shared .align 8 .b64 full;

	mov.b64 	%rd1, map;
	cvta.param.u64 	%rd2, %rd1;
	mov.u32 	%r1, %tid.x;
	mov.u32 	%r2, tile;
	mov.u32 	%r3, full;
	mov.u32 	%r4, 4;
	mov.u32 	%r5, 2;
	setp.ne.u32 	%p1, %r1, 0;
	@%p1 bra 	$L__BB0_1;
	mbarrier.init.shared::cta.b64 [%r3], 1;
	fence.mbarrier_init.release.cluster;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 128;
	cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
		[%r2], [%rd2, {%r4, %r5}], [%r3];
$L__BB0_1:
	bar.sync 	0;
$L__BB0_2:
	mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0;
	@!%p2 bra 	$L__BB0_2;
	shl.b32 	%r6, %r1, 2;
	add.u32 	%r7, %r2, %r6;
	ld.shared.f32 	%f1, [%r7];
	ld.param.u64 	%rd3, [to];
	mul.wide.u32 	%rd4, %r1, 4;
	add.s64 	%rd5, %rd3, %rd4;
	st.global.f32 	[%rd5], %f1;
	ret;
}
"""


def count(lines):
    return {name: n for name, n in ptx_loops.count_classes(lines).items() if n}


def test_the_main_loop_is_over_steps():
    main_loop = ptx_loops.find_main_loop(ptx_loops.kernel_lines(NESTED))
    assert count(main_loop) == {
        "fma": 2, "ld.shared.v4": 1, "ld.shared.v2": 1, "ld.shared": 1, "cp.async": 1,
        "cp.async group": 2, "bar.sync": 1, "branch": 4, "integer": 1, "integer64": 2,
    }


def test_an_inner_loop_counts_as_often_as_it_runs():
    lines = ptx_loops.kernel_lines(NESTED)
    counts = count(ptx_loops.find_step(lines, 8))
    assert counts["fma"] == 8 and counts["ld.shared.v4"] == 4 and counts["integer"] == 4
    assert counts["bar.sync"] == 1 and counts["cp.async"] == 1 and counts["branch"] == 7
    with pytest.raises(ValueError, match="expected 7 FMAs a step, got 2"):
        ptx_loops.find_step(lines, 7)


def test_the_main_loop_waits_for_an_mbarrier():
    lines = ptx_loops.kernel_lines(ROLES)
    assert count(ptx_loops.find_step(lines, 2)) == {
        "fma": 2, "ld.shared.v4": 1, "mbarrier wait": 1, "mbarrier arrive": 1, "fence": 1,
        "branch": 4, "integer": 1, "other": 1,
    }


def test_the_innermost_loop_counts_without_barriers():
    lines = ptx_loops.kernel_lines(NESTED.replace("bar.sync", "// bar.sync"))
    assert count(ptx_loops.find_main_loop(lines))["branch"] == 1


def test_a_kernel_without_loops():
    assert ptx_loops.find_main_loop(ptx_loops.kernel_lines(DOUBLED)) == []


@pytest.mark.parametrize(
    "line, name",
    [
        ("ld.shared.v4.b32 {%r1, %r2, %r3, %r4}, [%r5];", "ld.shared.v4"),
        ("ld.shared.u8 %r1, [%r5];", "ld.shared"),
        ("st.shared.v2.f32 [%r5], {%f1, %f2};", "st.shared"),
        ("ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];", "ld.global"),
        ("@%p1 st.local.u32 [%rd1], %r1;", "local"),
        ("cp.async.ca.shared.global [%r1], [%rd1], 4;", "cp.async"),
        ("cp.async.wait_all;", "cp.async group"),
        ("barrier.sync 0;", "bar.sync"),
        ("bar.warp.sync -1;", "other"),
        ("mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], %r2;", "mbarrier wait"),
        ("mbarrier.arrive.shared::cta.b64 _, [%r1];", "mbarrier arrive"),
        ("fence.proxy.async.shared::cta;", "fence"),
        ("@!%p1 bra $L__BB0_2;", "branch"),
        ("mov.b32 %r1, %r2;", "mov"),
        ("mad.lo.s32 %r1, %r2, %r3, %r4;", "integer"),
        ("setp.lt.u32 %p1, %r1, 8;", "integer"),
        ("and.pred %p1, %p2, %p3;", "integer"),
        ("shl.b64 %rd1, %rd2, 2;", "integer64"),
        ("cvt.u32.u64 %r1, %rd1;", "integer64"),
        ("ld.param.u64 %rd1, [p];", "other"),
        ("add.f32 %f1, %f2, %f3;", "other"),
    ],
)
def test_classes(line, name):
    assert count([line]) == {name: 1}


def test_what_is_no_instruction():
    assert count(["", "{", "}", ".reg .b32 %r<5>;", "$L__BB0_1:", "// add.s32"]) == {}


def make_branch(distance, chip):
    """A branch over `distance` instructions, as ptxas writes it."""
    units = distance * 4
    if chip == "sm_80":
        return machine_loops.BRANCH | (units & ((1 << 48) - 1)) << 34
    return machine_loops.BRANCH | (units & 0xFF) << 16 | (units >> 8 & ((1 << 48) - 1)) << 34


@pytest.mark.parametrize("chip", ["sm_80", "sm_90"])
def test_machine_loops(chip):
    fma, load = 0x223, 0x984
    inner = [load, fma, fma, make_branch(-4, chip)]
    step = [machine_loops.BARRIER, *inner, make_branch(-6, chip)]
    code = [make_branch(2, chip), 0x918, *step, 0x94D, make_branch(-1, chip)]
    counts = machine_loops.count_step(code, chip, 8)
    # Three more rounds of the inner loop.
    assert counts == {"all": 18, "fma": 8, "ld.shared": 4, "st.local": 0, "ld.local": 0}
    assert machine_loops.count_step(code, chip, 7) is None
    assert machine_loops.count_step(inner, chip, 2) is None


def test_machine_loops_wait_for_an_mbarrier():
    chip, fma, wait = "sm_90a", 0x223, machine_loops.MBARRIER_WAIT
    spin = [wait, make_branch(-2, chip)]
    step = [*spin, fma, fma, make_branch(-5, chip)]
    # Others copy: a loop without FMAs.
    counts = machine_loops.count_step([*spin, make_branch(-3, chip), *step], chip, 2)
    assert counts["all"] == 5 and counts["fma"] == 2


def test_what_ptxas_says():
    said = """ptxas info    : 4 bytes gmem
ptxas info    : Compiling entry function 'f' for 'sm_90'
ptxas info    : Function properties for f
    16 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 96 registers, used 1 barriers, 16 bytes cumulative stack size, 128 bytes smem
"""
    assert ptx_equivalence.parse_ptxas(said) == {
        "registers": 96, "spill_bytes": 20, "stack_bytes": 16, "static_shared_bytes": 128,
    }


ALIKE = ptx_equivalence.Case("64x128", 8, 2, False)
PRODUCERS = ptx_equivalence.Case("128x256", 12, 3, False, producers=4)


def make_row(instructions=1, spilled=0, case=ALIKE, **others):
    return {
        "spill_bytes": spilled, "stack_bytes": spilled, "local_in_kernel": 0,
        "main_loop": case.synchronization, "of_nvcc": instructions, **others,
    }


def complaints(row, theirs=None, case=ALIKE):
    rows = {"nm": row, **({"nvcc": theirs} if theirs else {})}
    return list(ptx_equivalence.complaints(case, rows, 0.05))


def test_more_instructions_are_worse():
    assert not complaints(make_row(1.04), make_row())
    assert complaints(make_row(1.06), make_row()) == [
        "1.06 times nvcc's instructions an FMA in PTX"]


def test_local_memory_is_worse():
    assert not complaints(make_row(), make_row(spilled=8))
    assert complaints(make_row(spilled=8), make_row()) == ["8 bytes are spilled, 0 by nvcc's"]
    assert complaints(make_row(spilled=8)) == ["8 bytes are spilled"]
    assert complaints(make_row(stack_bytes=8)) == ["local memory is used"]
    assert complaints(make_row(local_in_kernel=1)) == ["local memory is used"]


def test_a_step_has_a_barrier_or_a_wait_and_a_release():
    assert not complaints(make_row(case=PRODUCERS), case=PRODUCERS)
    assert complaints(make_row(), case=PRODUCERS) == [
        "expected 0 bar.sync a step, got 1", "expected 1 mbarrier wait a step, got 0",
        "expected 1 fence a step, got 0", "expected 1 mbarrier arrive a step, got 0"]
    assert complaints(make_row(case=PRODUCERS))[0] == "expected 1 bar.sync a step, got 0"


def test_cases_with_producers():
    assert str(PRODUCERS) == "128x256-12of32-3stages-producers"
    assert (PRODUCERS.step, PRODUCERS.chip, ALIKE.chip) == (32, "sm_90a", "sm_90")
    assert ALIKE.fits("sm_90") and not PRODUCERS.fits("sm_90") and PRODUCERS.fits("sm_90a")


def test_a_missing_tool_is_named(monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SystemExit, match="expected nvcc on PATH or by NVCC, got none"):
        ptx_equivalence.find_tool("nvcc", "NVCC", None)


def test_positions_are_those_of_the_step():
    indices = np.arange(ALIKE.product.windows * 8 * 16).reshape(-1, 16) % 32
    packed = ptx_equivalence.pack_positions(ALIKE, indices)
    # Blocks of columns, steps, units of a block, rows: two windows of eight rows a step.
    assert packed.shape == (4, 8, 4, 16)
    assert packed[1, 3, 2, 9] == 32 + indices[3 * 16 + 9, 1 * 4 + 2]


def test_ptx_is_emulated():
    source = np.arange(32, dtype=np.float32)
    result = np.zeros(32, np.float32)
    emulate_ptx.launch(DOUBLED, "doubled", (1,), 32, 0, [source, result])
    assert (result == 2 * source).all()


def test_tensor_maps_are_emulated():
    source = np.arange(10 * 16, dtype=np.float32).reshape(10, 16)
    result = np.zeros((4, 8), np.float32)
    boxes = emulate_ptx.Boxes(source, (4, 8))
    emulate_ptx.launch(BOX, "box", (1,), 32, 0, [boxes, result])
    assert (result == source[2:6, 4:12]).all()


@pytest.mark.skipif(not shutil.which("nvcc"), reason="no nvcc")
@pytest.mark.parametrize("case", [
    ptx_equivalence.Case("32x64", 8, 2, False),
    ptx_equivalence.Case("32x64", 8, 2, True),
    PRODUCERS,
], ids=str)
def test_the_cuda_kernel_is_right(tmp_path, case):
    tools = ptx_equivalence.Tools("", "", "nvcc")
    ptx, shared = ptx_equivalence.compile_cuda(tools, case, case.chip, tmp_path)
    assert ptx_equivalence.check_cuda(case, ptx, shared) < 1e-6
