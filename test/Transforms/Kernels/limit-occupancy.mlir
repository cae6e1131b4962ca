// RUN: nm-opt --nm-limit-occupancy %s | FileCheck %s
// RUN: nm-opt --nm-limit-occupancy --remarks-filter=nm-limit-occupancy --remark-format=emitRemark %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// 233472 bytes an SM and 132 SMs, of which a block takes 1024 more than it claims.
module attributes {gpu.container_module, nm.target = #nm.target<"sm_90">} {
  gpu.module @kernels {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @launches() {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c100 = arith.constant 100 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %c2000 = arith.constant 2000 : index
    %bytes = arith.constant 49152 : i32
    %most = arith.constant 120000 : i32

    // Four would fit; one each is enough, so that two must not fit.
// REMARK: remark: [Passed] limited | Category:nm-limit-occupancy | Function=launches | bytes=115713
    // CHECK: blocks in (%c128, %c1, %c1) {{.*}} dynamic_shared_memory_size %c115713_i32
    gpu.launch_func @kernels::@k blocks in (%c128, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes
    // Two each.
    // CHECK: blocks in (%c256, %c1, %c1) {{.*}} dynamic_shared_memory_size %c76801_i32
    gpu.launch_func @kernels::@k blocks in (%c256, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes
    // 32 clusters of four do not fit one block an SM, 25 do.
    // CHECK: clusters in (%c4, %c1, %c1) blocks in (%c128, %c1, %c1) {{.*}} dynamic_shared_memory_size %c76801_i32
    gpu.launch_func @kernels::@k clusters in (%c4, %c1, %c1) blocks in (%c128, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes
    // CHECK: clusters in (%c4, %c1, %c1) blocks in (%c100, %c1, %c1) {{.*}} dynamic_shared_memory_size %c115713_i32
    gpu.launch_func @kernels::@k clusters in (%c4, %c1, %c1) blocks in (%c100, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes

    // REMARK-COUNT-3: [Passed] limited |
    // REMARK-NOT: remark
    // More than are resident at once, as many as fit, and of a kernel without shared
    // memory.
    // CHECK: blocks in (%c2000, {{.*}} dynamic_shared_memory_size %c49152_i32
    gpu.launch_func @kernels::@k blocks in (%c2000, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes
    // CHECK: blocks in (%c100, {{.*}} dynamic_shared_memory_size %c120000_i32
    gpu.launch_func @kernels::@k blocks in (%c100, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %most
    // CHECK: blocks in (%c100, %c1, %c1) threads in (%c128, %c1, %c1)
    // CHECK-NOT: dynamic_shared_memory_size
    gpu.launch_func @kernels::@k blocks in (%c100, %c1, %c1) threads in (%c128, %c1, %c1)
    // CHECK: return
    return
  }
// One block more than an SM's share, 132 of them, must not fit.
// CHECK-LABEL: @by_call
// CHECK-SAME: (%[[N:.*]]: index)
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 49152 : i32
// CHECK: %[[BLOCKS:.*]] = arith.muli %[[N]], %c2
// CHECK: %[[BEFORE:.*]] = arith.subi %[[BLOCKS]], %c1
// CHECK: %[[SHARE:.*]] = arith.divsi %[[BEFORE]], %c132
// CHECK: %[[MANY:.*]] = arith.addi %[[SHARE]], %c2
// CHECK: %[[PART:.*]] = arith.divsi %c233472, %[[MANY]]
// CHECK: %[[CLAIM:.*]] = arith.addi %[[PART]], %c-1023
// CHECK: %[[CAST:.*]] = arith.index_cast %[[CLAIM]] : index to i32
// CHECK: %[[MOST:.*]] = arith.maxsi %[[CAST]], %[[BYTES]] : i32
// CHECK: gpu.launch_func @kernels::@k blocks in (%[[N]], %c2{{.*}} dynamic_shared_memory_size %[[MOST]]
// CHECK: clusters in (%c2{{.*}} dynamic_shared_memory_size %{{[0-9]+}} {{$}}
// Neither where no second block fits, nor of clusters of four.
// CHECK: threads in {{.*}} dynamic_shared_memory_size %c120000_i32
// CHECK: clusters in (%c4{{.*}} dynamic_shared_memory_size %c49152_i32
// REMARK: remark: [Passed] limited-by-call | Category:nm-limit-occupancy | Function=by_call | bytes=49152
// REMARK: limited-by-call
// REMARK-NOT: remark
  func.func @by_call(%n: index) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %bytes = arith.constant 49152 : i32
    %most = arith.constant 120000 : i32
    gpu.launch_func @kernels::@k blocks in (%n, %c2, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes
    gpu.launch_func @kernels::@k clusters in (%c2, %c1, %c1) blocks in (%n, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes
    gpu.launch_func @kernels::@k blocks in (%n, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %most
    gpu.launch_func @kernels::@k clusters in (%c4, %c1, %c1) blocks in (%n, %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %bytes
    return
  }
}
