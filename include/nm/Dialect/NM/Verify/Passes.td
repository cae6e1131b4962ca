//===- Passes.td - What each stage promises ----------------*- tablegen -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Alphabetical. Every pass says what it expects and what it leaves, gives an
// example, and names its remarks.
//
//===----------------------------------------------------------------------===//

#ifndef NM_DIALECT_NM_VERIFY_PASSES_TD
#define NM_DIALECT_NM_VERIFY_PASSES_TD

include "mlir/Pass/PassBase.td"
include "nm/Support/Options.td"

def NMVerifyBufferedPass : Pass<"nm-verify-buffered"> {
  let summary = "Checks what `nm-double-buffer` promises";
  let description = [{
    Run after `nm-double-buffer`: every copy in a loop over several steps of a kernel
    whose schedule has several stages is asynchronous. The error
    names the op, and in a note the pass that probably missed it.

    Expects any module; changes nothing.
  }];
}

def NMVerifyImportedPass : Pass<"nm-verify-imported"> {
  let summary = "Checks what `nm-import-linalg` promises";
  let description = [{
    Run after `nm-import-linalg`: weights that are known at compile time are
    `nm.constant`s. No `nm.condense` of a constant is left, and no copy of a
    raised weight, transposed or broadcast to [B, K, N], whose elements nothing
    reads. A copy that something else reads is in its right. The error names the
    op, and in a note the pass that probably missed it.

    ```mlir
    %t = linalg.transpose ins(%w : tensor<128x64xf32>) ...   // refused
    %d = tensor.dim %t, %c0 : tensor<64x128xf32>
    %c = nm.constant ... : !nm.condensed<64x128xf32, #nm.pattern<2:4>>
    ```

    Expects any module; changes nothing.
  }];
}

def NMVerifyLoadedPass : Pass<"nm-verify-loaded"> {
  let summary = "Checks what `nm-load-fragments` promises";
  let description = [{
    Run after `nm-load-fragments`: no `nm.tile_mma` is left. The error names the op,
    and in a note the pass that probably missed it.

    Expects any module; changes nothing.
  }];
}

def NMVerifyLoweredPass : Pass<"nm-verify-lowered"> {
  let summary = "Checks what the lowering to NVVM promises";
  let description = [{
    Run after the lowering to NVVM: a gpu.module holds nothing but ops of the llvm and nvvm dialects. The error
    names the op, and in a note the pass that probably missed it.

    Expects any module; changes nothing.
  }];
}

def NMVerifyMappedPass : Pass<"nm-verify-mapped"> {
  let summary = "Checks what `nm-map-to-threads` and `nm-allocate-shared` promise";
  let description = [{
    Run after `nm-map-to-threads` and `nm-allocate-shared`: no product, no tile op
    and no workgroup allocation is left, and no op of nm is in a gpu.launch. The error
    names the op, and in a note the pass that probably missed it.

    Expects any module; changes nothing.
  }];
}

def NMVerifyPackedPass : Pass<"nm-verify-packed"> {
  let summary = "Checks what `nm-pack-tile` promises";
  let description = [{
    Run after `nm-pack-tile`: a promoted A holds the rows that column information lists, so that no
    `nm.tile_mma` reads it through that list. The error
    names the op, and in a note the pass that probably missed it.

    Expects any module; changes nothing.
  }];
}

def NMVerifyPlannedPass : Pass<"nm-verify-planned"> {
  let summary = "Checks what `nm-select-schedule`, `nm-pack-weights` and `nm-split-constants` promise";
  let description = [{
    Run after `nm-select-schedule`, `nm-pack-weights` and
    `nm-split-constants`: every product has a schedule, and no `nm.constant` is left. The error
    names the op, and in a note the pass that probably missed it.

    Expects any module; changes nothing.
  }];
}

def NMVerifyPromotedPass : Pass<"nm-verify-promoted"> {
  let summary = "Checks what `nm-promote-shared` promises";
  let description = [{
    Run after `nm-promote-shared`: each `nm.tile_mma` reads from workgroup memory what its schedule
    promotes. The error
    names the op, and in a note the pass that probably missed it.

    Expects any module; changes nothing.
  }];
}

def NMVerifyTiledPass : Pass<"nm-verify-tiled"> {
  let summary = "Checks what `nm-tile` promises";
  let description = [{
    Run after `nm-tile`: no product is left, and each `nm.tile_mma` lies in a gpu.launch with a
    schedule. The error
    names the op, and in a note the pass that probably missed it.

    Expects any module; changes nothing.
  }];
}

#endif // NM_DIALECT_NM_VERIFY_PASSES_TD
