// What is wrong with a command line or a file is one clear error.

// RUN: not nm-run %s --device=cpu 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: expected the name of an entry, one of `f`, `g`, `strided`, `two`

// RUN: not nm-run %s --device=cpu --entry=h 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: expected an entry among `f`, `g`, `strided`, `two`, got `h`

// RUN: not nm-run %s --device=cpu --entry=strided 2>&1 | FileCheck %s --check-prefix=STRIDED
// STRIDED: invalid.mlir:[[#]]:{{.*}}: error: expected argument #0 to be a number or a ranked array without strides

// RUN: not nm-run %s --device=cpu --entry=f 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: nm-run: input #0: expected --input or --dynamic-size, got neither for ?x3xf32

// RUN: not nm-run %s --device=cpu --entry=f --dynamic-size=9000000000000000000 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: nm-run: input #0: expected a size that fits 64 bits, got 9000000000000000000x3xf32

// RUN: %if !asan %{ not nm-run %s --device=cpu --entry=f --dynamic-size=1000000000000000 2>&1 | FileCheck %s --check-prefix=MEMORY %}
// MEMORY: nm-run: input #0: no host memory for an input 1000000000000000x3xf32 of 12000000000000000 bytes

// RUN: not nm-run %s --device=cpu --entry=g --input=a.npy --input=b.npy 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: nm-run: expected none or 1 --input, got 2

// RUN: not nm-run %s --device=cpu --entry=g --input=%t.none.npy 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: nm-run: input #0: cannot open `{{.*}}none.npy`: No such file or directory

// RUN: nm-run %s --device=cpu --entry=g --output=%t.g.npy
// RUN: not nm-run %s --device=cpu --entry=f --input=%t.g.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: nm-run: input #0: `{{.*}}g.npy`: expected ?x3xf32, got 4xi32

// RUN: not nm-run %s --device=cpu --entry=g --expect=%s 2>&1 | FileCheck %s --check-prefix=RAW
// RAW: nm-run: expected result #0: `{{.*}}invalid.mlir`: expected the bytes of 4xi32 (16), got [[#]]

// RUN: cp %s %t.text.npy
// RUN: not nm-run %s --device=cpu --entry=g --input=%t.text.npy 2>&1 | FileCheck %s --check-prefix=MAGIC
// MAGIC: nm-run: input #0: `{{.*}}text.npy`: expected a .npy file, got one without its magic bytes

// RUN: not nm-run %s --device=cpu --entry=g --output=/nonexistent/x.npy 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: nm-run: output #0: cannot create `/nonexistent/x.npy`: No such file or directory

// RUN: not nm-run %s --device=emulator --entry=g --checks=all,nothing 2>&1 | FileCheck %s --check-prefix=CHECKS
// CHECKS: nm-run: expected --checks of all, none, bounds, alignment, uninitialized, races or barriers, got `all`

// RUN: not nm-run %s --entry=g --repeat=0 2>&1 | FileCheck %s --check-prefix=REPEAT
// REPEAT: nm-run: expected --repeat of at least 1, got 0

// RUN: not nm-run %s --device=tpu 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: Cannot find option named 'tpu'

// RUN: not nm-run /dev/zero 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not nm-run %s --device=cpu --entry=g --input=/dev/zero 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: cannot read `/dev/zero`: expected a file or a pipe, got a device

// RUN: rm -f %t.pipe && mkfifo %t.pipe
// RUN: bash -c 'yes > %t.pipe & nm-run %s --device=cpu --entry=g --input=%t.pipe; test $? = 1' 2>&1 | FileCheck %s --check-prefix=PIPE
// PIPE: nm-run: input #0: `{{.*}}pipe`: expected the bytes of 4xi32 (16), got

// RUN: not nm-run %s --device=cpu --entry=g --output=%t.same.npy --report=%t.same.npy 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: nm-run: expected another file for --report than for --output, got `{{.*}}same.npy` for both
// RUN: not nm-run %s --device=cpu --entry=two --output=%t.same.npy --output=%t.same.npy 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: nm-run: expected another file for --output than for --output, got `{{.*}}same.npy` for both
// RUN: not nm-run %s --device=cpu --entry=g --input=%t.g.npy --output=%t.g.npy 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: nm-run: expected another file for --output than for --input, got `{{.*}}g.npy` for both
// RUN: not nm-run %s --device=cpu --entry=g --output=- 2>&1 | FileCheck %s --check-prefix=STDOUT
// STDOUT: nm-run: expected a file for --output, got `-`: the standard output has what nm-run says (--output=./- is a file of that name)
// RUN: not test -e %t.same.npy

// RUN: rm -rf %t.dir && mkdir %t.dir && echo mine > %t.dir/0.npy
// RUN: not nm-run %s --device=cpu --entry=g --output-dir=%t.dir 2>&1 | FileCheck %s --check-prefix=MINE
// MINE: nm-run: expected --output-dir of an earlier run, or without such files, got `{{.*}}/0.npy`, which nm-run did not write
// RUN: rm %t.dir/0.npy && echo '{"mine": 1}' > %t.dir/results.json
// RUN: not nm-run %s --device=cpu --entry=g --output-dir=%t.dir 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: nm-run: expected --output-dir of an earlier run, or without such files, got `{{.*}}/results.json`, which nm-run did not write
// RUN: rm %t.dir/results.json
// RUN: nm-run %s --device=cpu --entry=two --output-dir=%t.dir
// RUN: nm-run %s --device=cpu --entry=g --output-dir=%t.dir
// RUN: not test -e %t.dir/1.npy

// RUN: not nm-run %s --device=cpu --entry=g --seed=1 --seed=2 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: nm-run: expected --seed at most once, got it 2 times
// RUN: not nm-run %s --device=emulator --entry=g --pipeline-options=chip=sm_10 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: nm-run: expected one of the known chips ({{.*}}sm_90{{.*}}), got `sm_10`
// RUN: not nm-run %s --device=emulator --entry=g --pipeline-options=chip=sm_80 --chip=sm_90 2>&1 | FileCheck %s --check-prefix=CHIPS
// CHIPS: nm-run: expected one chip, got `sm_90` by --chip and `sm_80` by --pipeline-options
// RUN: not nm-run %s --device=emulator --entry=g --pipeline-options="stages=2 fuse=0 stages=3" 2>&1 | FileCheck %s --check-prefix=STAGES
// STAGES: nm-run: expected `stages` at most once in --pipeline-options, got `stages=2 fuse=0 stages=3`

// RUN: not nm-run %t.none.mlir 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: nm-run: cannot open input file '{{.*}}none.mlir': No such file or directory

// RUN: echo "func.func @f( {" > %t.broken.mlir
// RUN: not nm-run %t.broken.mlir 2>&1 | FileCheck %s --check-prefix=PARSE
// PARSE: broken.mlir:1:{{.*}}: error:

func.func @f(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  return %x : tensor<?x3xf32>
}

func.func @g(%x: tensor<4xi32>) -> tensor<4xi32> {
  return %x : tensor<4xi32>
}

func.func @strided(%x: memref<4x4xf32, strided<[1, 4]>>) {
  return
}

func.func @two(%x: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  return %x, %x : tensor<4xi32>, tensor<4xi32>
}
