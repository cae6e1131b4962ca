//===- CompiledKernel.h - A module of one product as PTX --------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a module with one product to PTX in this process and reads from the
// host code how its kernels are launched, so that it can be launched without
// lowering the host code.
//
//===----------------------------------------------------------------------===//

#ifndef NM_TEST_INTEGRATION_NUMERIC_COMPILEDKERNEL_H
#define NM_TEST_INTEGRATION_NUMERIC_COMPILEDKERNEL_H

#include "nm/Emulator/Emulator.h"
#include "nm/Emulator/TensorMap.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace nm {
class PipelineOptions;

namespace numeric {

/// A buffer of the host code.
struct HostBuffer {
  std::optional<unsigned> argument; ///< Of the function; else
  std::string data;                 ///< the bytes of a constant, or
  bool isResult = false;            ///< what the function returns.
  int64_t bytes = 0;
};

/// One operand of a launch: a buffer, a tensor map of one, or a number.
struct LaunchOperand {
  std::optional<size_t> buffer; ///< In CompiledKernel::buffers.
  std::vector<int64_t> sizes, strides;
  std::optional<emulator::TensorMap> map; ///< Without the buffer's address.
  int64_t number = 0;
};

/// A launch of the host code.
struct CompiledLaunch {
  std::string name; ///< Of the kernel.
  emulator::LaunchConfig config;
  std::vector<LaunchOperand> operands;
};

/// What a block of a product's kernel has of an SM.
struct KernelBlock {
  int64_t sharedBytes = 0, threads = 0;
  bool operator==(const KernelBlock &other) const {
    return sharedBytes == other.sharedBytes && threads == other.threads;
  }
};

/// A product: one launch, or two where the second adds sums of the first.
struct CompiledKernel {
  std::string ptx;
  std::optional<KernelBlock> planned; ///< Null where plans do not tell.
  KernelBlock tiled;                  ///< What passes have made of the plan.
  std::vector<HostBuffer> buffers;
  std::vector<CompiledLaunch> launches;
};

/// A context with all dialects that the pipelines need.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Compiles the text of a module. Returns nothing and what went wrong, with the
/// diagnostics, in `error`.
std::optional<CompiledKernel> compile(mlir::MLIRContext &context,
                                      const std::string &module,
                                      const PipelineOptions &options,
                                      std::string &error);

} // namespace numeric
} // namespace nm

#endif // NM_TEST_INTEGRATION_NUMERIC_COMPILEDKERNEL_H
