// RUN: nm-opt %s --pass-pipeline='builtin.module(gpu.module(nm-bypass-l1))' | FileCheck %s

gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32} : !llvm.array<4 x i32>

  // 16, 8 and 4 bytes; what nothing writes to may be loaded as such.
  // CHECK-LABEL: llvm.func @loads
  // CHECK: %[[VIEW:.*]] = llvm.getelementptr %arg0[%arg1]
  // CHECK-NEXT: %[[P:.*]] = llvm.addrspacecast %[[VIEW]] : !llvm.ptr to !llvm.ptr<1>
  // CHECK-NEXT: %[[S:.*]] = llvm.inline_asm has_side_effects asm_dialect = att "ld.global.nc.L1::no_allocate.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l" %[[P]] : (!llvm.ptr<1>) -> !llvm.struct<(i32, i32, i32, i32)>
  // CHECK: %[[LAST:.*]] = llvm.extractvalue %[[S]][3]
  // CHECK: %[[WORDS:.*]] = llvm.insertelement %[[LAST]]
  // CHECK-NEXT: %[[X:.*]] = llvm.bitcast %[[WORDS]] : vector<4xi32> to vector<8xbf16>
  // CHECK: llvm.inline_asm has_side_effects asm_dialect = att "ld.global.L1::no_allocate.v2.b32 {$0, $1}, [$2];", "=r,=r,l"
  // CHECK: %[[Y:.*]] = llvm.bitcast %{{.*}} : vector<2xi32> to i64
  // CHECK: %[[W:.*]] = llvm.inline_asm has_side_effects asm_dialect = att "ld.global.L1::no_allocate.b32 $0, [$1];", "=r,l"
  // CHECK-NEXT: %[[Z:.*]] = llvm.bitcast %[[W]] : i32 to f32
  // CHECK-NEXT: %[[I:.*]] = llvm.addrspacecast
  // CHECK-NEXT: %[[WORD:.*]] = llvm.inline_asm {{.*}} -> i32
  // CHECK-NEXT: llvm.call @use(%[[X]], %[[Y]], %[[Z]], %[[WORD]])
  // CHECK-NOT: llvm.load
  llvm.func @loads(%w: !llvm.ptr, %i: i64) attributes {gpu.kernel, nvvm.kernel} {
    %view = llvm.getelementptr %w[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
    %x = llvm.load %view invariant {alignment = 16 : i64, nontemporal} : !llvm.ptr -> vector<8xbf16>
    %y = llvm.load %w {alignment = 8 : i64, nontemporal} : !llvm.ptr -> i64
    %z = llvm.load %w {alignment = 4 : i64, nontemporal} : !llvm.ptr -> f32
    %word = llvm.load %w {alignment = 4 : i64, nontemporal} : !llvm.ptr -> i32
    llvm.call @use(%x, %y, %z, %word) : (vector<8xbf16>, i64, f32, i32) -> ()
    llvm.return
  }
  llvm.func @use(vector<8xbf16>, i64, f32, i32)

  // Others stay: temporal ones, those of other sizes or of less alignment, and those of shared
  // memory or of an address that is no argument's.
  // CHECK-LABEL: llvm.func @others
  // CHECK-NOT: llvm.inline_asm
  // CHECK-COUNT-6: llvm.load
  llvm.func @others(%w: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %0 = llvm.load %w {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
    %1 = llvm.load %w {alignment = 2 : i64, nontemporal} : !llvm.ptr -> bf16
    %2 = llvm.load %w {alignment = 32 : i64, nontemporal} : !llvm.ptr -> vector<8xf32>
    %3 = llvm.load %w {alignment = 8 : i64, nontemporal} : !llvm.ptr -> vector<4xf32>
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %generic = llvm.addrspacecast %tile : !llvm.ptr<3> to !llvm.ptr
    %4 = llvm.load %generic {alignment = 4 : i64, nontemporal} : !llvm.ptr -> f32
    llvm.br ^next(%w : !llvm.ptr)
  ^next(%p: !llvm.ptr):
    %5 = llvm.load %p {alignment = 4 : i64, nontemporal} : !llvm.ptr -> f32
    llvm.return
  }

  // What is no kernel's argument may be any pointer.
  // CHECK-LABEL: llvm.func @no_kernel
  // CHECK: llvm.load
  llvm.func @no_kernel(%p: !llvm.ptr) {
    %0 = llvm.load %p {alignment = 4 : i64, nontemporal} : !llvm.ptr -> f32
    llvm.return
  }
}
