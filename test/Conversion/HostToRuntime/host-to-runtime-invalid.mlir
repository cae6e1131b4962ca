// RUN: nm-opt %s --nm-host-to-runtime --split-input-file --verify-diagnostics

func.func private @elsewhere()
func.func @calls() {
  // expected-error @+1 {{unsupported: call of a function without a body, @elsewhere}}
  call @elsewhere() : () -> ()
  return
}

// -----

memref.global "private" @state : memref<2xcomplex<f32>> = uninitialized
func.func @uninitialized() {
  // expected-error @+1 {{unsupported: global without an initial value}}
  %m = memref.get_global @state : memref<2xcomplex<f32>>
  return
}

// -----

func.func @structured(%c: i1) {
  // expected-error @+1 {{expected host code without regions; run convert-scf-to-cf first}}
  scf.if %c {
  }
  return
}

// -----

func.func @tensor_map(%a: memref<8x64xf16>) {
  // expected-error @+1 {{unsupported: tensor map without a device}}
  %map = nm.tensor_map %a box = [8, 64] swizzle = 128 : memref<8x64xf16>
  return
}

// -----

module attributes {gpu.container_module} {
  gpu.module @nm_kernels {
    gpu.func @k() kernel { gpu.return }
  }
  func.func @launches(%n: index) {
    // expected-error @+1 {{unsupported: launch without a device}}
    gpu.launch_func @nm_kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}

// -----

func.func @pointers() {
  // expected-error @+1 {{unsupported: buffer of type 'memref<4xmemref<f32>>'; expected elements that are numbers}}
  %m = memref.alloc() : memref<4xmemref<f32>>
  return
}

// -----

// No type of LLVM is that of a tensor.
func.func @tensor(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'llvm.store' op operand #0 must be LLVM type with size, but got 'tensor<4xf32>'}}
  return %x : tensor<4xf32>
}
