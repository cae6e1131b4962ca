; What LLVM's back end prints where nvcc prints something else: jump tables, carries
; of 128-bit sums, half vectors, a local depot with generic addresses, cp.async and
; barriers by intrinsics, untyped registers. One thread an element.

target triple = "nvptx64-nvidia-cuda"

@buffer = internal addrspace(3) global [64 x i32] undef, align 16
@dynamic = external addrspace(3) global [0 x i32], align 16

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare half @llvm.sqrt.f16(half)
declare half @llvm.fma.f16(half, half, half)
declare float @llvm.sqrt.f32(float)
declare float @llvm.floor.f32(float)
declare float @llvm.maxnum.f32(float, float)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)

; A jump table.
define ptx_kernel void @choose(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %a = load i32, ptr addrspace(1) %p
  switch i32 %a, label %other [
    i32 0, label %c0
    i32 1, label %c1
    i32 2, label %c2
    i32 3, label %c3
    i32 4, label %c4
    i32 5, label %c5
  ]
c0:
  br label %end
c1:
  %r1 = mul i32 %t, 3
  br label %end
c2:
  %r2 = xor i32 %t, 21
  br label %end
c3:
  %r3 = call i32 @llvm.ctlz.i32(i32 %t, i1 false)
  br label %end
c4:
  %r4 = sdiv i32 -1000, %a
  br label %end
c5:
  %r5 = call i32 @llvm.fshl.i32(i32 %t, i32 -1, i32 7)
  br label %end
other:
  br label %end
end:
  %r = phi i32 [ 7, %c0 ], [ %r1, %c1 ], [ %r2, %c2 ], [ %r3, %c3 ], [ %r4, %c4 ], [ %r5, %c5 ], [ -1, %other ]
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}

; 128-bit integers: carries.
define ptx_kernel void @wide(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [2 x i128], ptr addrspace(1) %in, i32 %t
  %q = getelementptr i128, ptr addrspace(1) %p, i32 1
  %a = load i128, ptr addrspace(1) %p
  %b = load i128, ptr addrspace(1) %q
  %s = add i128 %a, %b
  %m = mul i128 %s, %b
  %d = sub i128 %m, %a
  %o = getelementptr i128, ptr addrspace(1) %out, i32 %t
  store i128 %d, ptr addrspace(1) %o
  ret void
}

; Half vectors in, single precision inside, half arithmetic at the end.
define ptx_kernel void @halves(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr <4 x half>, ptr addrspace(1) %in, i32 %t
  %h = load <4 x half>, ptr addrspace(1) %p, align 8
  %f = fpext <4 x half> %h to <4 x float>
  %g = call <4 x float> @llvm.fma.v4f32(<4 x float> %f, <4 x float> %f, <4 x float> <float 1.0, float 0.5, float 0.25, float -2.0>)
  %e0 = extractelement <4 x float> %g, i32 0
  %e3 = extractelement <4 x float> %g, i32 3
  %s = call float @llvm.sqrt.f32(float %e0)
  %fl = call float @llvm.floor.f32(float %e3)
  %mx = call float @llvm.maxnum.f32(float %s, float %fl)
  %n = fptrunc float %mx to half
  %h1 = extractelement <4 x half> %h, i32 1
  %r = call half @llvm.fma.f16(half %n, half %h1, half 0xH3C00)
  %o = getelementptr half, ptr addrspace(1) %out, i32 %t
  store half %r, ptr addrspace(1) %o
  ret void
}

; A local array with an index known at run time, through generic addresses.
define ptx_kernel void @depot(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %array = alloca [8 x i32], align 4
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %a = load i32, ptr addrspace(1) %p
  br label %fill
fill:
  %i = phi i32 [ 0, %0 ], [ %next, %fill ]
  %slot = add i32 %i, %a
  %index = and i32 %slot, 7
  %q = getelementptr i32, ptr %array, i32 %index
  %value = mul i32 %i, %a
  store volatile i32 %value, ptr %q
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, 8
  br i1 %done, label %read, label %fill
read:
  %which = and i32 %t, 7
  %r = getelementptr i32, ptr %array, i32 %which
  %v = load volatile i32, ptr %r
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %o
  ret void
}

; Reverses 64 elements through two shared buffers, one filled by cp.async.
define ptx_kernel void @reverse(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %s = getelementptr i32, ptr addrspace(3) @buffer, i32 %t
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %s, ptr addrspace(1) %p)
  call void @llvm.nvvm.cp.async.commit.group()
  %x = load i32, ptr addrspace(1) %p
  %d = getelementptr i32, ptr addrspace(3) @dynamic, i32 %t
  %twice = shl i32 %x, 1
  store i32 %twice, ptr addrspace(3) %d
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %from = sub i32 63, %t
  %s2 = getelementptr i32, ptr addrspace(3) @buffer, i32 %from
  %d2 = getelementptr i32, ptr addrspace(3) @dynamic, i32 %from
  %a = load i32, ptr addrspace(3) %s2
  %b = load i32, ptr addrspace(3) %d2
  %r = add i32 %a, %b
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %r, ptr addrspace(1) %o
  ret void
}
