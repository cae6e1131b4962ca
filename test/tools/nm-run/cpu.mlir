// Values go from function to function through files of both kinds, and errors
// show.

// RUN: nm-run %s --device=cpu --entry=numbers --output=%t.x.npy --output=%t.y.bin
// RUN: nm-run %s --device=cpu --entry=twice --input=%t.x.npy --expect=%t.y.bin \
// RUN:   | FileCheck %s --check-prefix=GOOD

// GOOD: device: CPU
// GOOD: function: twice(?x3xf32) -> (?x3xf32)
// GOOD: call 0: {{.*}} ms
// GOOD: result #0: 2x3xf32, relative error 0, largest difference 0, tolerance 1e-05: ok

// A wrong result is printed and gives exit status 2.
// RUN: not nm-run %s --device=cpu --entry=twice --input=%t.y.bin \
// RUN:   --expect=%t.y.bin | FileCheck %s --check-prefix=BAD
// RUN: nm-run %s --device=cpu --entry=twice --input=%t.y.bin \
// RUN:   --expect=%t.y.bin --tolerance=1 | FileCheck %s --check-prefix=LOOSE

// BAD: result #0: 2x3xf32, relative error 1, largest difference 12, tolerance 1e-05: FAILED
// LOOSE: tolerance 1: ok

// f32 files serve for f16 and bf16; several results; several calls.
// RUN: nm-run %s --device=cpu --entry=narrow --input=%t.x.npy --input=%t.x.npy \
// RUN:   --expect=%t.x.npy --expect=%t.x.npy --output=%t.h.npy \
// RUN:   --output=%t.b.npy --repeat=2 | FileCheck %s --check-prefix=NARROW
// RUN: nm-run %s --device=cpu --entry=twice --input=%t.b.npy --expect=%t.y.bin

// NARROW: function: narrow(?x3xf16, ?x3xbf16) -> (?x3xf16, ?x3xbf16)
// NARROW: call 1:
// NARROW: result #0: 2x3xf16, relative error 0, {{.*}} tolerance 0.003: ok
// NARROW: result #1: 2x3xbf16, relative error 0, {{.*}} tolerance 0.02: ok

// Random inputs depend on the seed only.
// RUN: nm-run %s --device=cpu --entry=twice --seed=7 --dynamic-size=5 \
// RUN:   --output=%t.r.npy | FileCheck %s --check-prefix=RANDOM
// RUN: nm-run %s --device=cpu --entry=twice --seed=7 --dynamic-size=5 \
// RUN:   --expect=%t.r.npy
// RUN: not nm-run %s --device=cpu --entry=twice --seed=8 --dynamic-size=5 \
// RUN:   --expect=%t.r.npy

// RANDOM: inputs: random, seed 7

// Numbers and empty arrays.
// RUN: nm-run %s --device=cpu --entry=count --dynamic-size=4 --output=%t.n.npy
// RUN: nm-run %s --device=cpu --entry=same --input=%t.n.npy --expect=%t.n.npy \
// RUN:   | FileCheck %s --check-prefix=SCALAR
// RUN: nm-run %s --device=cpu --entry=empty --output=%t.e.npy
// RUN: nm-run %s --device=cpu --entry=twice --input=%t.e.npy --expect=%t.e.npy \
// RUN:   | FileCheck %s --check-prefix=EMPTY

// SCALAR: function: same(i64) -> (i64)
// SCALAR: result #0: i64, relative error 0, largest difference 0, tolerance 0: ok
// EMPTY: result #0: 0x3xf32, relative error 0

// All results and their types go to a directory, which is made.
// RUN: rm -rf %t.d && nm-run %s --device=cpu --entry=narrow --input=%t.x.npy \
// RUN:   --input=%t.x.npy --output-dir=%t.d/results
// RUN: nm-run %s --device=cpu --entry=narrow --input=%t.d/results/0.npy \
// RUN:   --input=%t.d/results/1.npy --expect=%t.x.npy --expect=%t.x.npy
// RUN: FileCheck %s --check-prefix=LIST --input-file=%t.d/results/results.json
// RUN: not nm-run %s --device=cpu --entry=numbers --output-dir=%t.x.npy/d 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NODIR

// LIST: [{"file":"0.npy","shape":[2,3],"type":"f16"},{"file":"1.npy","shape":[2,3],"type":"bf16"}]
// Results that have names have them there.
// RUN: nm-run %s --device=cpu --entry=named --output-dir=%t.d/named
// RUN: FileCheck %s --check-prefix=NAMED --input-file=%t.d/named/results.json
// NAMED: [{"file":"0.npy","name":"sum","shape":[2],"type":"f32"},{"file":"1.npy","shape":[2],"type":"f32"}]
// NODIR: nm-run: cannot create `{{.*}}/d`: Not a directory

#map = affine_map<(d0, d1) -> (d0, d1)>

func.func @numbers() -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %x = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %y = arith.constant dense<[[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]> : tensor<2x3xf32>
  return %x, %y : tensor<2x3xf32>, tensor<2x3xf32>
}

func.func @named(%x: tensor<2xf32>) -> (tensor<2xf32> {nm.name = "sum"}, tensor<2xf32>) {
  %0 = arith.addf %x, %x : tensor<2xf32>
  return %0, %x : tensor<2xf32>, tensor<2xf32>
}

func.func @twice(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = linalg.add ins(%x, %x : tensor<?x3xf32>, tensor<?x3xf32>)
                  outs(%x : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

func.func @narrow(%h: tensor<?x3xf16>, %b: tensor<?x3xbf16>)
    -> (tensor<?x3xf16>, tensor<?x3xbf16>) {
  %h1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]}
      outs(%h : tensor<?x3xf16>) {
  ^bb0(%v: f16):
    %w = arith.extf %v : f16 to f32
    %t = arith.truncf %w : f32 to f16
    linalg.yield %t : f16
  } -> tensor<?x3xf16>
  %b1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]}
      outs(%b : tensor<?x3xbf16>) {
  ^bb0(%v: bf16):
    %w = arith.extf %v : bf16 to f32
    %t = arith.truncf %w : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x3xbf16>
  return %h1, %b1 : tensor<?x3xf16>, tensor<?x3xbf16>
}

func.func @count(%x: tensor<?x3xf32>) -> index {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  return %n : index
}

func.func @same(%x: i64) -> i64 {
  return %x : i64
}

func.func @empty() -> tensor<0x3xf32> {
  %x = arith.constant dense<> : tensor<0x3xf32>
  return %x : tensor<0x3xf32>
}
