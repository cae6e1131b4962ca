//===- Passes.td - Tile ops to the work of one thread -*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_MAP_PASSES_TD
#define NM_DIALECT_NM_MAP_PASSES_TD

include "mlir/Pass/PassBase.td"

def NMMapToThreadsPass : Pass<"nm-map-to-threads"> {
  let summary = "Gives every thread its part of the tile ops";
  let description = [{
    Lowers the tile level to vector, memref, scf, nvgpu and gpu ops of one thread,
    as the launch's schedule says. A fragment becomes a set of vectors in the
    registers of each thread; `nm.tile_mma` of kind `fma` vector loads and outer
    products of FMAs; `nm.tile_copy` and `nm.tile_gather` 16-byte (or narrower)
    copies, `cp.async` where they are asynchronous and the data is aligned;
    `nm.tile_store` the epilogue and vector stores. Extents that may be smaller
    than the tile are guarded, others are not.

    Expects launches with an `nm.schedule` attribute, from any tile-level stage;
    leaves no nm op in them. Refuses kernels that do not have the form of `nm-tile`: threads or
    fragments other than the schedule's, two products in one kernel, a product
    that not all threads reach, fragments in ops of other dialects.

    ```mlir
    %r = nm.tile_mma %a, %v, %d, %acc {pattern = #nm.pattern<8:32, unit = 1x32>} : ...
    // becomes, for each kept row
    %a0 = vector.load %a[%row, %m] {alignment = 16 : i64} : ..., vector<4xf32>
    %b0 = vector.load %v[%i, %n] {alignment = 16 : i64} : ..., vector<4xf32>
    %c0 = vector.fma %a0_0, %b0, %acc0 : vector<4xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::nvgpu::NVGPUDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

#endif // NM_DIALECT_NM_MAP_PASSES_TD
