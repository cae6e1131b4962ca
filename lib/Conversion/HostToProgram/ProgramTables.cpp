//===- ProgramTables.cpp - What host code refers to -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramTables.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/NM/IR/TensorMaps.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Support/ElementsData.h"
#include "nm/Support/NumberOps.h"
#include "nm/Support/RawElements.h"

using namespace mlir;
using namespace nm;

uint32_t ProgramTables::getText(StringRef text) {
  auto [entry, isNew] = texts.try_emplace(text, program.texts.size());
  if (isNew)
    program.texts.push_back(text.str());
  return entry->second;
}

uint32_t nm::getParameterBytes(Type type) {
  if (isa<TensorMapType>(type))
    return kTensorMapBytes;
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * getParameterBytes(complex.getElementType());
  unsigned bits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  uint32_t bytes = 1;
  while (bytes * 8 < bits)
    bytes *= 2;
  return bytes;
}

unsigned nm::countPlaces(Type type) {
  if (isa<TensorMapType>(type))
    return kTensorMapBytes / sizeof(int64_t);
  return isa<ComplexType>(type) ? 2 : 1;
}

/// The blocks of a cluster of `launch`, which `kernel` is to hold.
static LogicalResult setCluster(gpu::LaunchFuncOp launch,
                                program::Kernel &kernel) {
  if (!launch.hasClusterSize())
    return success();
  gpu::KernelDim3 size = launch.getClusterSizeOperandValues();
  Value extents[] = {size.x, size.y, size.z};
  for (auto [extent, value] : llvm::zip(kernel.cluster, extents)) {
    std::optional<int64_t> known = getConstantIntValue(value);
    if (!known || *known < 1 || *known > 16)
      return launch.emitOpError("expected clusters of constant extents from 1 "
                                "to 16 blocks");
    extent = uint32_t(*known);
  }
  return success();
}

FailureOr<uint32_t> ProgramTables::getKernel(gpu::LaunchFuncOp launch) {
  StringRef name = launch.getKernelName().getValue();
  program::Kernel kernel;
  if (failed(setCluster(launch, kernel)))
    return failure();
  auto [entry, isNew] = kernels.try_emplace(name, program.kernels.size());
  if (!isNew) {
    if (!llvm::equal(kernel.cluster, program.kernels[entry->second].cluster))
      return launch.emitOpError("expected the same clusters in all launches of "
                                "one kernel");
    return entry->second;
  }
  kernel.name = name.str();
  kernel.isDependent = launch->hasAttr(kDependentAttr);
  for (Type type : launch.getKernelOperands().getTypes()) {
    bool isBuffer = isa<MemRefType>(type);
    kernel.parameters.push_back(
        {isBuffer, isBuffer ? 8 : getParameterBytes(type)});
  }
  program.kernels.push_back(std::move(kernel));
  return entry->second;
}

/// The type of elements in a file, where index is 64 bits.
static std::optional<ElementType> getElementType(Type type) {
  if (type.isIndex())
    return ElementType::I64;
  const NumericType *row = lookupNumericType(type);
  return row ? std::optional(row->id) : std::nullopt;
}

/// Constants are tensors of a safetensors file, which have names of their own,
/// and none of them is the program's.
std::string ProgramTables::getUniqueName(StringRef name) {
  std::string base = name.str();
  if (name.empty() || name.starts_with("nm.") || name.starts_with("__"))
    base = "constant" + base;
  std::string unique = base;
  for (unsigned i = 1; !constantNames.insert(unique).second; ++i)
    unique = base + "_" + std::to_string(i);
  return unique;
}

FailureOr<uint32_t> ProgramTables::addConstant(Location loc,
                                               ElementsAttr elements,
                                               StringRef name,
                                               program::ConstantKind kind) {
  auto raw = RawElements::get(elements, [&](const Twine &reason) {
    emitError(loc, "expected the data of `") << name << "`: " << reason;
  });
  if (failed(raw))
    return failure();
  ShapedType type = elements.getShapedType();
  std::optional<ElementType> element = getElementType(type.getElementType());
  program::Constant constant;
  constant.name = getUniqueName(getElementsName(elements, name));
  constant.kind = kind;
  ArrayRef<char> bytes = raw->getData();
  // What is no plain blob may be a splat, or bits.
  bool isBool = element == ElementType::Bool;
  if (!isa<DenseResourceElementsAttr>(elements) || isBool || raw->isSplat())
    bytes = data.emplace_back(raw->copy());
  constant.data = std::string_view(bytes.data(), bytes.size());
  if (element) {
    constant.element = *element;
    constant.extents.assign(type.getShape().begin(), type.getShape().end());
  } else { // an integer that arrays of the host have not
    constant.element = ElementType::U8;
    constant.extents = {static_cast<int64_t>(bytes.size())};
  }
  program.constants.push_back(std::move(constant));
  return program.constants.size() - 1;
}

FailureOr<uint32_t> ProgramTables::getConstant(memref::GetGlobalOp op) {
  auto found = constants.find(op.getName());
  if (found != constants.end())
    return found->second;
  auto global = symbols.lookup<memref::GlobalOp>(op.getName());
  auto initial =
      global ? dyn_cast_or_null<ElementsAttr>(global.getInitialValueAttr())
             : ElementsAttr();
  if (!initial || global.isUninitialized())
    return op.emitOpError("unsupported: global without an initial value");
  auto added =
      addConstant(op.getLoc(), initial, op.getName(),
                  global.getConstant() ? program::ConstantKind::Constant
                                       : program::ConstantKind::State);
  if (succeeded(added))
    constants[op.getName()] = *added;
  return added;
}

std::optional<uint32_t> ProgramTables::lookupFunction(StringRef name) const {
  auto found = functions.find(name);
  return found == functions.end() ? std::nullopt : std::optional(found->second);
}

void ProgramTables::addFunction(program::Function function) {
  functions[function.name] = program.functions.size();
  program.functions.push_back(std::move(function));
}
