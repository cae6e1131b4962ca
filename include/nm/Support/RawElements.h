//===- RawElements.h - Raw data of constant elements ---------- -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading the data of constants where it lies, and saying why it cannot be
// read: weights are large, and files are printed without them.
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_RAWELEMENTS_H
#define NM_SUPPORT_RAWELEMENTS_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace nm {

/// The data of a constant: little-endian elements in row-major order.
class RawElements {
public:
  /// What kept the data from being read.
  enum class Error {
    /// The resource has no data: the file was printed without it.
    Elided,
    /// The resource holds another number of bytes than its type needs.
    WrongSize,
    /// The attribute is of a kind, or of an element type, that is not read.
    Unsupported
  };

  /// Reads dense elements, splats included, and resource elements, of integers
  /// or floats that fill whole bytes. On failure returns nothing, says which
  /// in `kind` and describes it in `error`. The result refers to the data of
  /// the attribute.
  static std::optional<RawElements> get(mlir::ElementsAttr elements,
                                        Error &kind, std::string &error);

  /// As above, for callers that treat all errors alike.
  static std::optional<RawElements> get(mlir::ElementsAttr elements,
                                        std::string &error);

  /// The data; one element when `isSplat`.
  llvm::ArrayRef<char> getData() const { return data; }
  bool isSplat() const { return splat; }
  /// Bytes of an element.
  int64_t getElementBytes() const { return elementBytes; }
  /// The first byte of element `index`, in row-major order.
  const char *getElement(int64_t index) const {
    return data.data() + (splat ? 0 : index * elementBytes);
  }

private:
  llvm::ArrayRef<char> data;
  int64_t elementBytes = 0;
  bool splat = false;
};

} // namespace nm

#endif // NM_SUPPORT_RAWELEMENTS_H
