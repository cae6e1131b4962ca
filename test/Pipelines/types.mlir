// REQUIRES: ptxas
// RUN: nm-compile %s --chip=sm_80 --emit=cubin -o %t.cubin --report=- | FileCheck %s
// RUN: nm-compile %s --chip=sm_86 --emit=cubin -o %t.cubin --report=- | FileCheck %s
// RUN: nm-compile %s --chip=sm_89 --emit=cubin -o %t.cubin --report=- | FileCheck %s
// RUN: nm-compile %s --chip=sm_90 --emit=cubin -o %t.cubin --report=- | FileCheck %s
// RUN: nm-compile %s --chip=sm_90a --emit=cubin -o %t.cubin --report=- | FileCheck %s
// RUN: nm-compile %s --chip=sm_100 --emit=cubin -o %t.cubin --report=- | FileCheck %s
// RUN: nm-compile %s --chip=sm_120 --emit=cubin -o %t.cubin --report=- | FileCheck %s
// RUN: nm-compile %s --chip=sm_80 -o %t.80.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.80.ptx --implicit-check-not=".extern .func" --implicit-check-not=call.uni --implicit-check-not=cvt.f32.bf16
// RUN: nm-compile %s --chip=sm_90 -o %t.90.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.90.ptx --implicit-check-not=".extern .func" --implicit-check-not=call.uni --implicit-check-not=cvt.f32.bf16

// bf16, i8 and f64 in products and in the ops around them: ptxas accepts the PTX for
// every row of the target table, nothing is called and nothing spilled.
// CHECK: kernels: {{[0-9]+}}
// CHECK-DAG: {{^ *}}bf16_0_spmm {{.*}} 0{{$}}
// CHECK-DAG: {{^ *}}bf16_matrices_0_spmm {{.*}} 0{{$}}
// CHECK-DAG: {{^ *}}i8_0_spmm {{.*}} 0{{$}}
// CHECK-DAG: {{^ *}}i8_vector_0_spmv {{.*}} 0{{$}}
// CHECK-DAG: {{^ *}}scaled_0_spmm {{.*}} 0{{$}}
// CHECK-DAG: {{^ *}}weight_only_0_spmm {{.*}} 0{{$}}
// CHECK-DAG: {{^ *}}f64_0_spmm {{.*}} 0{{$}}
// CHECK-DAG: {{^ *}}f64_large_0_spmm {{.*}} 0{{$}}
// CHECK-DAG: {{^ *}}dense_{{.*}}matmul {{.*}} 0{{$}}

// Two bf16 of a word are widened by a shift and a mask and multiplied in f32; a
// result is rounded by one instruction.
// PTX-LABEL: .entry bf16_0_spmm(
// PTX-DAG: shl.b32
// PTX-DAG: and.b32 {{.*}}, -65536
// PTX-DAG: fma.rn.f32
// PTX-DAG: cp.async.cg.shared.global
// PTX: cvt.rn.bf16{{(x2)?}}.f32

// On tensor cores, where they take the pattern.
// PTX-LABEL: .entry bf16_matrices_0_spmm(
// PTX: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32

// PTX-LABEL: .entry i8_0_spmm(
// PTX-NOT: .f32
// PTX: mad.lo.s32
// PTX-NOT: .f32
// PTX-LABEL: .entry i8_vector_0_spmv(
// PTX: mul.wide.s16

// A scale makes floats of integer sums, once.
// PTX-LABEL: .entry scaled_0_spmm(
// PTX: mad.lo.s32
// PTX: cvt.rn.f32.s32

// Bytes are put below exponents, and no integer is converted.
// PTX-LABEL: .entry weight_only_0_spmm(
// PTX-NOT: cvt.rn.f32.s
// PTX: prmt.b32
// PTX-NOT: cvt.rn.f32.s
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32

// PTX-LABEL: .entry f64_0_spmm(
// PTX: fma.rn.f64
// PTX-LABEL: .entry f64_large_0_spmm(
// PTX: fma.rn.f64

#vw = #nm.pattern<8:32, unit = 1x32>
#fma = #nm.schedule<kind = #nm.fma<warps = [1, 2], lanes = [8, 4], thread = [4, 8]>, block = [32, 64, 64], stages = 2>
#id = affine_map<(d0, d1) -> (d0, d1)>

func.func @bf16(%a: tensor<?x128xbf16>, %v: tensor<32x64xbf16>, %d: tensor<32x2xi8>, %b: tensor<64xbf16>, %c: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %w = nm.assemble %v, %d : tensor<32x64xbf16>, tensor<32x2xi8> -> !nm.condensed<128x64xbf16, #vw>
  %r = nm.spmm %a, %w bias(%b : tensor<64xbf16>) outs(%c : tensor<?x64xbf16>) {epilogue = #nm.epilogue<gelu_tanh>, schedule = #fma} : tensor<?x128xbf16>, !nm.condensed<128x64xbf16, #vw> -> tensor<?x64xbf16>
  return %r : tensor<?x64xbf16>
}

func.func @bf16_matrices(%a: tensor<?x128xbf16>, %v: tensor<32x64xbf16>, %d: tensor<32x2xi8>, %b: tensor<64xbf16>, %c: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %w = nm.assemble %v, %d : tensor<32x64xbf16>, tensor<32x2xi8> -> !nm.condensed<128x64xbf16, #vw>
  %r = nm.spmm %a, %w bias(%b : tensor<64xbf16>) outs(%c : tensor<?x64xbf16>) {epilogue = #nm.epilogue<gelu_tanh>} : tensor<?x128xbf16>, !nm.condensed<128x64xbf16, #vw> -> tensor<?x64xbf16>
  return %r : tensor<?x64xbf16>
}

func.func @i8(%a: tensor<?x128xi8>, %v: tensor<64x48xi8>, %d: tensor<64x48xi8>, %b: tensor<48xi32>, %c: tensor<?x48xi32>) -> tensor<?x48xi32> {
  %w = nm.assemble %v, %d : tensor<64x48xi8>, tensor<64x48xi8> -> !nm.condensed<128x48xi8, #nm.pattern<2:4>>
  %r = nm.spmm %a, %w bias(%b : tensor<48xi32>) outs(%c : tensor<?x48xi32>) {acc = i32, epilogue = #nm.epilogue<relu>} : tensor<?x128xi8>, !nm.condensed<128x48xi8, #nm.pattern<2:4>> -> tensor<?x48xi32>
  return %r : tensor<?x48xi32>
}

func.func @i8_vector(%a: tensor<256xi8>, %v: tensor<128x96xi8>, %d: tensor<128x96xi8>, %c: tensor<96xi32>) -> tensor<96xi32> {
  %w = nm.assemble %v, %d : tensor<128x96xi8>, tensor<128x96xi8> -> !nm.condensed<256x96xi8, #nm.pattern<2:4>>
  %r = nm.spmv %a, %w outs(%c : tensor<96xi32>) {acc = i32} : tensor<256xi8>, !nm.condensed<256x96xi8, #nm.pattern<2:4>> -> tensor<96xi32>
  return %r : tensor<96xi32>
}

func.func @scaled(%a: tensor<96x128xi8>, %v: tensor<32x64xi8>, %d: tensor<32x2xi8>, %s: tensor<64xf32>, %c: tensor<96x64xf32>) -> tensor<96x64xf32> {
  %w = nm.assemble %v, %d : tensor<32x64xi8>, tensor<32x2xi8> -> !nm.condensed<128x64xi8, #vw>
  %r = nm.spmm %a, %w scale(%s : tensor<64xf32>) outs(%c : tensor<96x64xf32>) {acc = i32} : tensor<96x128xi8>, !nm.condensed<128x64xi8, #vw> -> tensor<96x64xf32>
  return %r : tensor<96x64xf32>
}

func.func @weight_only(%a: tensor<96x128xbf16>, %v: tensor<32x64xi8>, %d: tensor<32x2xi8>, %s: tensor<64xbf16>, %c: tensor<96x64xbf16>) -> tensor<96x64xbf16> {
  %w = nm.assemble %v, %d : tensor<32x64xi8>, tensor<32x2xi8> -> !nm.condensed<128x64xi8, #vw>
  %r = nm.spmm %a, %w scale(%s : tensor<64xbf16>) outs(%c : tensor<96x64xbf16>) : tensor<96x128xbf16>, !nm.condensed<128x64xi8, #vw> -> tensor<96x64xbf16>
  return %r : tensor<96x64xbf16>
}

func.func @f64(%a: tensor<?x128xf64>, %v: tensor<64x48xf64>, %d: tensor<64x48xi8>, %b: tensor<48xf64>, %c: tensor<?x48xf64>) -> tensor<?x48xf64> {
  %w = nm.assemble %v, %d : tensor<64x48xf64>, tensor<64x48xi8> -> !nm.condensed<128x48xf64, #nm.pattern<2:4>>
  %r = nm.spmm %a, %w bias(%b : tensor<48xf64>) outs(%c : tensor<?x48xf64>) {acc = f64, epilogue = #nm.epilogue<gelu_erf>} : tensor<?x128xf64>, !nm.condensed<128x48xf64, #nm.pattern<2:4>> -> tensor<?x48xf64>
  return %r : tensor<?x48xf64>
}

// The tile of most accumulators a thread.
func.func @f64_large(%a: tensor<4096x1024xf64>, %v: tensor<256x4096xf64>, %d: tensor<256x128xi8>, %c: tensor<4096x4096xf64>) -> tensor<4096x4096xf64> {
  %w = nm.assemble %v, %d : tensor<256x4096xf64>, tensor<256x128xi8> -> !nm.condensed<1024x4096xf64, #vw>
  %r = nm.spmm %a, %w outs(%c : tensor<4096x4096xf64>) {acc = f64} : tensor<4096x1024xf64>, !nm.condensed<1024x4096xf64, #vw> -> tensor<4096x4096xf64>
  return %r : tensor<4096x4096xf64>
}

// A dense product of activations, as of attention in integers.
func.func @dense(%a: tensor<16x32xi8>, %b: tensor<32x24xi8>, %c: tensor<16x24xi32>) -> tensor<16x24xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<16x32xi8>, tensor<32x24xi8>) outs(%c : tensor<16x24xi32>) -> tensor<16x24xi32>
  return %r : tensor<16x24xi32>
}

// Arithmetic, math, comparison and a reduction on bf16.
func.func @elementwise(%a: tensor<16x32xbf16>, %c: tensor<16xbf16>) -> (tensor<16x32xbf16>, tensor<16xbf16>) {
  %e = tensor.empty() : tensor<16x32xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<16x32xbf16>) outs(%e : tensor<16x32xbf16>) {
  ^bb0(%x: bf16, %o: bf16):
    %zero = arith.constant 0.0 : bf16
    %one = arith.constant 1.0 : bf16
    %n = arith.negf %x : bf16
    %exp = math.exp %n : bf16
    %d = arith.addf %exp, %one : bf16
    %q = arith.divf %x, %d : bf16
    %positive = arith.cmpf ugt, %q, %zero : bf16
    %s = arith.select %positive, %q, %x : bf16
    linalg.yield %s : bf16
  } -> tensor<16x32xbf16>
  %sum = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<16x32xbf16>) outs(%c : tensor<16xbf16>) {
  ^bb0(%x: bf16, %o: bf16):
    %t = arith.addf %o, %x : bf16
    linalg.yield %t : bf16
  } -> tensor<16xbf16>
  return %y, %sum : tensor<16x32xbf16>, tensor<16xbf16>
}
