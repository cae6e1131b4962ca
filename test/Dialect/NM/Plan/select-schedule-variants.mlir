// RUN: nm-opt --nm-set-target=chip=sm_90 --nm-select-schedule=tuning=0 %s | FileCheck %s
// RUN: nm-opt --nm-set-target=chip=sm_90 --nm-select-schedule=tuning=0 --remarks-filter='nm-.*' --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: nm-opt --nm-set-target=chip=sm_90 --nm-select-schedule="tuning=0 variants=0" %s | FileCheck %s --check-prefix=ONE

// The branches have one buffer, and the packed weights have the same values.
// RUN: nm-opt --nm-plan-pipeline="chip=sm_90 tuning=0" --nm-bufferize-pipeline %s 2>&1 | FileCheck %s --check-prefix=BUFFERS
// RUN: nm-compile --chip=sm_90 --emit=mlir --last-stage=plan %s -o - | FileCheck %s --check-prefix=VALUES

#vw = #nm.pattern<1:4, unit = 1x32>

// ONE-NOT: scf.if

// CHECK-LABEL: func.func @unknown
// CHECK: %[[M:.*]] = tensor.dim %arg0, %c0
// CHECK: %[[SINGLE:.*]] = arith.cmpi eq, %[[M]], %c1
// CHECK: %[[R:.*]] = scf.if %[[SINGLE]]
// CHECK: nm.spmm {{.*}}nm.most_rows = 1 : index, schedule = #nm.schedule<kind = #nm.gemv<{{.*}}block = [1, 32, 4096]
// CHECK: } else {
// CHECK: %[[FEW:.*]] = arith.cmpi ule, %[[M]], %c2
// CHECK: scf.if %[[FEW]]
// CHECK: nm.spmm {{.*}}nm.most_rows = 2 : index, schedule = #nm.schedule<kind = #nm.gemv<{{.*}}block = [2, 32, 4096]
// CHECK: nm.spmm {{.*}}nm.most_rows = 4 : index, schedule = #nm.schedule<kind = #nm.gemv<{{.*}}block = [4, 32, 4096]
// CHECK: nm.spmm {{.*}}nm.most_rows = 6 : index, schedule = #nm.schedule<kind = #nm.gemv<{{.*}}block = [6, 32, 4096]
// CHECK: nm.spmm {{.*}}nm.most_rows = 8 : index, schedule = #nm.schedule<kind = #nm.gemv<{{.*}}block = [8, 32, 4096]
// Two blocks of six rows are better than two of eight, half full.
// CHECK: nm.spmm {{.*}}nm.most_rows = 12 : index, schedule = #nm.schedule<kind = #nm.gemv<{{.*}}block = [6, 64, 4096]
// Fewer than 48 are hardly faster in blocks of their own.
// CHECK-NOT: nm.most_rows = {{16|20|24|32|40}}
// CHECK: nm.spmm {{.*}}nm.most_rows = 48 : index, schedule = #nm.schedule<kind = #nm.gemv<{{.*}}block = [8, 64, 4096]
// CHECK: nm.spmm {{.*}}nm.most_rows = 64 : index, schedule = #nm.schedule<kind = #nm.fma<{{.*}}block = [32, 128, 64]
// CHECK: %[[SOME:.*]] = arith.cmpi ule, %[[M]], %c256
// CHECK: scf.if %[[SOME]]
// CHECK: nm.spmm {{.*}}nm.most_rows = 256 : index, schedule
// CHECK: nm.spmm {{.*}}nm.most_rows = 512 : index, schedule
// CHECK: } else {
// Rows of a transposed A are multiples of 32 elements apart.
// CHECK: %[[WHOLE:.*]] = arith.ceildivui %{{.*}}, %[[UNIT:c32.*]] : index
// CHECK: %[[LENGTH:.*]] = arith.muli %[[WHOLE]], %[[UNIT]] : index
// CHECK: %[[BUFFER:.*]] = bufferization.alloc_tensor(%[[LENGTH]]) : tensor<4096x?xf32>
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[BUFFER]][0, 0] [4096, %{{.*}}] [1, 1] : tensor<4096x?xf32> to tensor<4096x?xf32>
// CHECK: %[[A:.*]] = linalg.transpose ins(%arg0 : tensor<?x4096xf32>) outs(%[[SLICE]] : tensor<4096x?xf32>) permutation = [1, 0]
// CHECK: nm.spmm %[[A]], {{.*}} {a_layout = #nm.layout<feature_major>, schedule
// CHECK-NOT: nm.most_rows
// CHECK: return %[[R]]
// REMARK: Function=unknown | Reason="A is transposed in {{[0-9.]+}} us, cuda-core:
// REMARK: Function=unknown | Reason="up to 512 rows: cuda-core:
// REMARK: Function=unknown | Reason="up to 256 rows: A is transposed in {{[0-9.]+}} us, cuda-core:
// REMARK: Function=unknown | Reason="up to 64 rows: cuda-core: 32x128
// REMARK: Function=unknown | Reason="up to 48 rows: gemv: 64 columns
// REMARK: Function=unknown | Reason="up to 12 rows: gemv: 64 columns
// REMARK: Function=unknown | Reason="up to 8 rows: gemv: 32 columns
// REMARK: Function=unknown | Reason="up to 6 rows: gemv: 32 columns
// REMARK: Function=unknown | Reason="up to 4 rows: gemv: 32 columns
// REMARK: Function=unknown | Reason="up to 2 rows: gemv: 32 columns
// REMARK: Function=unknown | Reason="up to 1 row: gemv: 32 columns
func.func @unknown(%a: tensor<?x4096xf32>, %c: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  %w = nm.constant {values = dense<1.0> : tensor<1024x4096xf32>, indices = dense<1> : tensor<1024x128xi8>} : !nm.condensed<4096x4096xf32, #vw>
  %r = nm.spmm %a, %w outs(%c : tensor<?x4096xf32>) : tensor<?x4096xf32>, !nm.condensed<4096x4096xf32, #vw> -> tensor<?x4096xf32>
  return %r : tensor<?x4096xf32>
}

// Rows are the second extent of a feature-major A.
// CHECK-LABEL: func.func @feature_major
// CHECK: tensor.dim %arg0, %c1
// CHECK: scf.if
// BUFFERS-LABEL: func.func @feature_major
// BUFFERS: %[[C:.*]] = memref.alloc
// BUFFERS: scf.if %{{[^ ]*}} {
// BUFFERS: nm.spmm {{.*}} outs(%[[C]]
// BUFFERS: nm.spmm {{.*}} outs(%[[C]]
// BUFFERS-NOT: memref.copy
// BUFFERS: return %[[C]]
// VALUES-LABEL: func.func @feature_major
// VALUES: arith.constant dense_resource<[[DATA:.*]]> : tensor<128x1024x32xf32>
// VALUES: arith.constant dense_resource<[[DATA]]> : tensor<128x1024x32xf32>
func.func @feature_major(%a: tensor<4096x?xf32>) -> tensor<?x4096xf32> {
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c1 : tensor<4096x?xf32>
  %c = tensor.empty(%m) : tensor<?x4096xf32>
  %w = nm.constant {values = dense<1.0> : tensor<1024x4096xf32>, indices = dense<1> : tensor<1024x128xi8>} : !nm.condensed<4096x4096xf32, #vw>
  %r = nm.spmm %a, %w outs(%c : tensor<?x4096xf32>) {a_layout = #nm.layout<feature_major>} : tensor<4096x?xf32>, !nm.condensed<4096x4096xf32, #vw> -> tensor<?x4096xf32>
  return %r : tensor<?x4096xf32>
}


// A schedule by hand is one for any number of rows.
// CHECK-LABEL: func.func @by_hand
// CHECK-NOT: scf.if
// CHECK: return
func.func @by_hand(%a: tensor<?x4096xf32>, %w: !nm.condensed<4096x4096xf32, #vw>, %c: tensor<?x4096xf32>) -> tensor<?x4096xf32> {
  %r = nm.spmm %a, %w outs(%c : tensor<?x4096xf32>) {schedule = #nm.schedule<kind = #nm.fma<warps = [1, 4], lanes = [8, 4], thread = [8, 8]>, block = [64, 128, 64], stages = 2>} : tensor<?x4096xf32>, !nm.condensed<4096x4096xf32, #vw> -> tensor<?x4096xf32>
  return %r : tensor<?x4096xf32>
}
