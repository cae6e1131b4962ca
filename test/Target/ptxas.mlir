// REQUIRES: ptxas
// RUN: nm-compile %s --chip=sm_80 --emit=cubin -o %t.cubin --report=- | FileCheck %s
// RUN: nm-compile %s --chip=sm_86 --emit=cubin -o %t.cubin --report=- | FileCheck %s
// RUN: nm-compile %s --chip=sm_89 --emit=cubin -o %t.cubin --report=- | FileCheck %s
// RUN: nm-compile %s --chip=sm_90 --emit=cubin -o %t.cubin --report=- | FileCheck %s
// RUN: nm-compile %s --chip=sm_90a --emit=cubin -o %t.cubin --report=- | FileCheck %s
// RUN: nm-compile %s --chip=sm_100 --emit=cubin -o %t.cubin --report=- | FileCheck %s
// RUN: nm-compile %s --chip=sm_120 --emit=cubin -o %t.cubin --report=- | FileCheck %s

// ptxas accepts the PTX for every row of the target table (one RUN line each;
// known-targets.mlir compares them with the table) and spills nothing.
// CHECK: kernels:
// CHECK-NEXT: name launches grid block shared bytes registers spilled bytes
// CHECK-NEXT: vector_wise_0_spmm 1 {{[0-9]+}} {{[0-9]+}} {{[0-9]+}} {{[0-9]+}} 0{{$}}
// CHECK-NEXT: element_wise_0_spmm {{[0-9]}} {{[0-9]+}} {{[0-9]+}} {{[0-9]+}} {{[0-9]+}} 0{{$}}
// CHECK-NEXT: element_wise_1_spmm {{[0-9]}} ? {{[0-9]+}} {{[0-9]+}} {{[0-9]+}} 0{{$}}
// CHECK-NEXT: element_wise_2_spmm {{[0-9]}} ? {{[0-9]+}} {{[0-9]+}} {{[0-9]+}} 0{{$}}
// Chips differ in how many kernels the one for any number of rows has.
// CHECK-NOT: {{_spmm .* [1-9][0-9]*$}}
// CHECK: vector_0_spmv 1 {{[0-9]+}} {{[0-9]+}} {{[0-9]+}} {{[0-9]+}} 0{{$}}

func.func @vector_wise(%a: tensor<32x128xf32>, %v: tensor<32x32xf32>, %d: tensor<32x1xi8>, %c: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %w = nm.assemble %v, %d : tensor<32x32xf32>, tensor<32x1xi8> -> !nm.condensed<128x32xf32, #nm.pattern<8:32, unit = 1x32>>
  %r = nm.spmm %a, %w outs(%c : tensor<32x32xf32>) : tensor<32x128xf32>, !nm.condensed<128x32xf32, #nm.pattern<8:32, unit = 1x32>> -> tensor<32x32xf32>
  return %r : tensor<32x32xf32>
}

func.func @element_wise(%a: tensor<?x128xf16>, %v: tensor<64x48xf16>, %d: tensor<64x48xi8>, %c: tensor<?x48xf16>) -> tensor<?x48xf16> {
  %w = nm.assemble %v, %d : tensor<64x48xf16>, tensor<64x48xi8> -> !nm.condensed<128x48xf16, #nm.pattern<2:4>>
  %r = nm.spmm %a, %w outs(%c : tensor<?x48xf16>) : tensor<?x128xf16>, !nm.condensed<128x48xf16, #nm.pattern<2:4>> -> tensor<?x48xf16>
  return %r : tensor<?x48xf16>
}

func.func @vector(%a: tensor<256xf32>, %v: tensor<128x96xf32>, %d: tensor<128x96xi8>, %c: tensor<96xf32>) -> tensor<96xf32> {
  %w = nm.assemble %v, %d : tensor<128x96xf32>, tensor<128x96xi8> -> !nm.condensed<256x96xf32, #nm.pattern<2:4>>
  %r = nm.spmv %a, %w outs(%c : tensor<96xf32>) : tensor<256xf32>, !nm.condensed<256x96xf32, #nm.pattern<2:4>> -> tensor<96xf32>
  return %r : tensor<96xf32>
}
