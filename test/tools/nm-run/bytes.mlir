// What a launch reads and writes, where types say it, of a module and of a program file; there
// are no times of a GPU, of which the floor would be a share.

// RUN: nm-run %s --device=emulator --chip=sm_90 --repeat=2 --counters=%t.json --report=%t.report.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=COUNTERS < %t.json
// RUN: FileCheck %s --check-prefix=REPORT < %t.report.json
// RUN: nm-compile %s --chip=sm_90 --emit=program -o %t.nm
// RUN: nm-run %t.nm --device=emulator --repeat=2 | FileCheck %s

// Sixteen rows of 32 KB are read and written: 1 MB, for which an H200's memory takes .218 us
// at 4.8 TB/s.
// CHECK: kernel {{ *}}launches {{ *}}total ms {{ *}}mean ms {{ *}}share {{ *}}bytes {{ *}}floor us {{ *}}reached
// CHECK: main_0_rows_exp {{ *}}2 {{ *}}{{[0-9.]+}} {{ *}}{{[0-9.]+}} {{ *}}100.0% {{ *}}1048576 {{ *}}0.218 {{ *}}-
// COUNTERS: "bytes": 1048576
// COUNTERS: "floorMilliseconds": 0.000218
// REPORT: "bytes": 1048576
// REPORT: "bytes": 2097152
// REPORT: "floor_milliseconds": 0.000436
func.func @main(%x: tensor<16x8192xf32>) -> tensor<16x8192xf32> {
  %e = tensor.empty() : tensor<16x8192xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16x8192xf32>) outs(%e : tensor<16x8192xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<16x8192xf32>
  return %y : tensor<16x8192xf32>
}
