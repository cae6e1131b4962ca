// RUN: nm-opt %s --pass-pipeline='builtin.module(gpu.module(nm-mark-invariant-loads))' | FileCheck %s

gpu.module @kernels {
  // Loads of constants may pass the wait from behind it, whatever block they are in; those in
  // front stay there. Others stay on their side.
  // CHECK-LABEL: llvm.func @waits
  // CHECK-SAME: attributes {gpu.kernel, nvvm.kernel}
  // CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> f32
  // CHECK-NEXT: nvvm.griddepcontrol wait
  // CHECK-NEXT: llvm.load %arg0 : !llvm.ptr -> f32
  // CHECK-NEXT: llvm.load %arg1 invariant {alignment = 4 : i64} : !llvm.ptr -> f32
  // CHECK: llvm.getelementptr
  // CHECK-NEXT: llvm.getelementptr
  // CHECK-NEXT: llvm.load %{{.*}} invariant : !llvm.ptr -> f32
  // CHECK-NEXT: llvm.load %arg3 : !llvm.ptr -> f32
  llvm.func @waits(%a: !llvm.ptr, %w: !llvm.ptr, %n: i64, %other: !llvm.ptr) attributes {gpu.kernel, nm.constant_args = array<i32: 1>, nvvm.kernel} {
    %early = llvm.getelementptr %w[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %0 = llvm.load %early {alignment = 4 : i64} : !llvm.ptr -> f32
    nvvm.griddepcontrol wait
    %1 = llvm.load %a : !llvm.ptr -> f32
    %2 = llvm.load %w {alignment = 4 : i64} : !llvm.ptr -> f32
    llvm.br ^next(%other : !llvm.ptr)
  ^next(%p: !llvm.ptr):
    %view = llvm.getelementptr %w[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %place = llvm.getelementptr %view[%n] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3 = llvm.load %place : !llvm.ptr -> f32
    %4 = llvm.load %other : !llvm.ptr -> f32
    // An argument of a block that is no kernel's.
    // CHECK: llvm.load %{{[0-9]+}} : !llvm.ptr -> f32
    %5 = llvm.load %p : !llvm.ptr -> f32
    llvm.return
  }

  // A branch may pass the wait by.
  // CHECK-LABEL: llvm.func @around
  // CHECK-NOT: invariant
  llvm.func @around(%w: !llvm.ptr, %some: i1) attributes {gpu.kernel, nm.constant_args = array<i32: 0>, nvvm.kernel} {
    llvm.cond_br %some, ^waits, ^end
  ^waits:
    nvvm.griddepcontrol wait
    llvm.br ^end
  ^end:
    %0 = llvm.load %w : !llvm.ptr -> f32
    llvm.return
  }

  // A kernel that waits for none has nothing to pass.
  // CHECK-LABEL: llvm.func @no_wait
  // CHECK: llvm.load %arg0 invariant
  llvm.func @no_wait(%w: !llvm.ptr) attributes {gpu.kernel, nm.constant_args = array<i32: 0>, nvvm.kernel} {
    %0 = llvm.load %w : !llvm.ptr -> f32
    llvm.return
  }

  // What is not called one.
  // CHECK-LABEL: llvm.func @plain
  // CHECK-NOT: invariant
  llvm.func @plain(%w: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    nvvm.griddepcontrol wait
    %0 = llvm.load %w : !llvm.ptr -> f32
    llvm.return
  }
}
