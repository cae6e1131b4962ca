//===- Weights.cpp - Data of resources in files of their own --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Tool/Weights.h"

#include "Safetensors.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "nm/Numbers/NumericTypes.h"
#include "nm/Support/NumberOps.h"
#include "nm/Tool/ToolFiles.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace nm;

using Buffer = std::shared_ptr<llvm::MemoryBuffer>;

/// Refers to `data` in `file` where they lie, unless elements of `bytes` bytes
/// would not be aligned there.
static AsmResourceBlob makeBlob(ArrayRef<char> data, size_t bytes,
                                const Buffer &file) {
  if (reinterpret_cast<uintptr_t>(data.data()) % bytes != 0)
    return HeapAsmResourceBlob::allocateAndCopyWithAlign(data, bytes);
  return AsmResourceBlob(
      data, bytes, [file](void *, size_t, size_t) {}, /*dataIsMutable=*/false);
}

namespace {
/// How safetensors says a type of tensors.
struct StoredForm {
  StringRef type; // "" for elements that it has no type for
  SmallVector<int64_t> shape;
};
} // namespace

static StoredForm getStoredForm(ShapedType type) {
  StoredForm form{"", SmallVector<int64_t>(type.getShape())};
  const NumericType *row = lookupNumericType(type.getElementType());
  if (row && row->safetensors.empty() && row->part) {
    row = &getNumericType(*row->part);
    form.shape.push_back(2);
  }
  if (row)
    form.type = row->safetensors;
  return form;
}

/// As MLIR writes a shape: "8x4"; "scalar" for none.
static std::string describeShape(ArrayRef<int64_t> shape) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(shape, os, "x");
  return shape.empty() ? "scalar" : text;
}

/// Whether what the file says of a tensor is what the module says.
static LogicalResult checkForm(ShapedType type, const StoredTensor &tensor,
                               StringRef name, Operation *op) {
  StoredForm expected = getStoredForm(type);
  Type element = type.getElementType();
  if (expected.type.empty())
    return op->emitError("expected a type of elements that safetensors has, "
                         "for tensor `")
           << name << "` of the weights, got " << element;
  // Elements of MLIR may have no sign where the file's have one.
  bool areBytes = element.isSignlessInteger(8) &&
                  (tensor.type == "I8" || tensor.type == "U8");
  if (tensor.type != expected.type && !areBytes)
    return op->emitError("expected elements of ")
           << element << " (" << expected.type << ") in tensor `" << name
           << "` of the weights, got " << tensor.type;
  if (ArrayRef<int64_t>(tensor.shape) == ArrayRef<int64_t>(expected.shape))
    return success();
  InFlightDiagnostic error = op->emitError("expected tensor `")
                             << name << "` of the weights to be "
                             << describeShape(expected.shape) << ", got "
                             << describeShape(tensor.shape);
  if (llvm::equal(llvm::reverse(tensor.shape), expected.shape))
    error << ", its transpose: a weight of torch is [n, k]; write it as the "
             "module reads it";
  return error;
}

/// The resource's data, if it has none and `tensors` has them.
static LogicalResult attach(DenseResourceElementsAttr elements,
                            const llvm::StringMap<StoredTensor> &tensors,
                            const Buffer &file, Operation *op) {
  auto &resource = *elements.getRawHandle().getResource();
  auto found = tensors.find(resource.getKey());
  if (resource.getBlob() || found == tensors.end())
    return success();
  if (failed(
          checkForm(elements.getType(), found->second, resource.getKey(), op)))
    return failure();
  size_t bytes = llvm::PowerOf2Ceil(
      getElementBytes(elements.getElementType()).value_or(1));
  resource.setBlob(makeBlob(found->second.data, bytes, file));
  return success();
}

LogicalResult nm::attachWeights(ModuleOp module, StringRef path) {
  if (path.empty())
    return success();
  auto fail = [&](const Twine &reason) {
    return module.emitError("cannot read the weights in `")
           << path << "`: " << reason;
  };
  if (llvm::Error error = checkReadable(path))
    return fail(llvm::toString(std::move(error)));
  auto opened = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!opened)
    return fail(opened.getError().message());
  Buffer file = std::move(*opened);
  auto tensors = readSafetensors(file->getBuffer());
  if (!tensors)
    return fail(llvm::toString(tensors.takeError()));

  Operation *current = nullptr;
  AttrTypeWalker walker;
  walker.addWalk([&](DenseResourceElementsAttr elements) {
    return failed(attach(elements, *tensors, file, current))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  auto result = module.walk([&](Operation *op) {
    current = op;
    return walker.walk<WalkOrder::PreOrder>(op->getAttrDictionary());
  });
  return failure(result.wasInterrupted());
}
