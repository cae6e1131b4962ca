//===- ProgramTables.h - What host code refers to ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_CONVERSION_HOSTTOPROGRAM_PROGRAMTABLES_H
#define NM_LIB_CONVERSION_HOSTTOPROGRAM_PROGRAMTABLES_H

#include "nm/Conversion/HostToProgram/HostToProgram.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace nm {

/// The tables of a program, filled as functions ask for what is in them.
class ProgramTables {
public:
  ProgramTables(mlir::ModuleOp module, ConvertedProgram &result)
      : program(result.program), symbols(module), data(result.data) {}

  uint32_t getText(llvm::StringRef text);
  /// The kernel that `launch` runs; all its launches have the same parameters.
  /// Fails, with an error, where its clusters are not constant or not the same.
  llvm::FailureOr<uint32_t> getKernel(mlir::gpu::LaunchFuncOp launch);
  /// The constant or state of a global; fails, with an error at `op`, for one
  /// without data.
  llvm::FailureOr<uint32_t> getConstant(mlir::memref::GetGlobalOp op);
  /// The constant that state of the caller begins with.
  llvm::FailureOr<uint32_t> addInitialState(mlir::Location loc,
                                            mlir::ElementsAttr elements,
                                            llvm::StringRef name) {
    return addConstant(loc, elements, name, program::ConstantKind::Initial);
  }
  /// Of a function that has been added.
  std::optional<uint32_t> lookupFunction(llvm::StringRef name) const;
  void addFunction(program::Function function);

  program::Program &program;

private:
  std::string getUniqueName(llvm::StringRef name);
  llvm::FailureOr<uint32_t> addConstant(mlir::Location loc,
                                        mlir::ElementsAttr elements,
                                        llvm::StringRef name,
                                        program::ConstantKind kind);

  mlir::SymbolTable symbols;
  std::deque<std::vector<char>> &data;
  llvm::StringMap<uint32_t> texts, kernels, constants, functions;
  llvm::StringSet<> constantNames;
};

/// Bytes of a kernel's parameter of type `type`, a number or a tensor map.
uint32_t getParameterBytes(mlir::Type type);

/// Numbers that hold a value of type `type`: two for a complex one, those of
/// its bytes for a tensor map.
unsigned countPlaces(mlir::Type type);

} // namespace nm

#endif // NM_LIB_CONVERSION_HOSTTOPROGRAM_PROGRAMTABLES_H
