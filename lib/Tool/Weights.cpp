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

/// What safetensors calls the elements of `type`; "" for what it lacks.
static StringRef getStoredType(Type type) {
  const NumericType *row = lookupNumericType(type);
  if (row && row->safetensors.empty() && row->part)
    row = &getNumericType(*row->part);
  return row ? StringRef(row->safetensors) : StringRef();
}

/// The resource's data, if it has none and `tensors` has them.
static LogicalResult attach(DenseResourceElementsAttr elements,
                            const llvm::StringMap<StoredTensor> &tensors,
                            const Buffer &file, Operation *op) {
  auto &resource = *elements.getRawHandle().getResource();
  auto found = tensors.find(resource.getKey());
  if (resource.getBlob() || found == tensors.end())
    return success();
  Type element = elements.getElementType();
  StringRef expected = getStoredType(element), type = found->second.type;
  // Elements of MLIR may have no sign where the file's have one.
  bool areBytes = element.isInteger(8) && (type == "I8" || type == "U8");
  if (!expected.empty() && type != expected && !areBytes)
    return op->emitError("expected elements of ")
           << element << " (" << expected << ") in tensor `"
           << resource.getKey() << "` of the weights, got " << type;
  size_t bytes = llvm::PowerOf2Ceil(getElementBytes(element).value_or(1));
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
