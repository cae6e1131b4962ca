//===- RawElements.h - Raw data of constant elements ---------- -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one reader of constants that may be large: their data where they lie, or
// why it cannot be read, since files are printed without it. Whether a constant
// is dense, one value repeated, or a resource is no business of others.
//
// Other things are: a handful of integers of any width (sizes, divisors, an
// evaluated index), for which MLIR's iterators do; sparse elements, which are
// coordinates (ImportSparseEncodings); and VerifyConstants, which reads no
// elements but holds the size of every resource against its type.
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_RAWELEMENTS_H
#define NM_SUPPORT_RAWELEMENTS_H

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "nm/Support/ReasonEmitter.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstring>
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
  /// As ReasonEmitter, for callers that tell one reason from another.
  using ErrorEmitter =
      llvm::function_ref<void(Error kind, const llvm::Twine &reason)>;

  /// Reads dense elements, splats included, and resource elements: integers and
  /// floats that fill whole bytes, complex numbers of these, and booleans, of
  /// which each is a byte. The result refers to the data of the attribute.
  static llvm::FailureOr<RawElements> get(mlir::ElementsAttr elements,
                                          ErrorEmitter emitError);
  static llvm::FailureOr<RawElements> get(mlir::ElementsAttr elements,
                                          ReasonEmitter emitReason);

  RawElements(RawElements &&) = default;
  RawElements &operator=(RawElements &&) = default;

  /// The data; one element when `isSplat`.
  llvm::ArrayRef<char> getData() const { return data; }
  bool isSplat() const { return splat; }
  /// Bytes of an element.
  int64_t getElementBytes() const { return elementBytes; }
  /// The first byte of element `index`, in row-major order.
  const char *getElement(int64_t index) const {
    return data.data() + (splat ? 0 : index * elementBytes);
  }
  /// Element `index` of integers of up to 64 bits, without a sign. Inline, as
  /// there may be millions.
  int64_t getUnsigned(int64_t index) const {
    switch (elementBytes) {
    case 1:
      return read<uint8_t>(index);
    case 2:
      return read<uint16_t>(index);
    case 4:
      return read<uint32_t>(index);
    default:
      return readBytes(index);
    }
  }
  /// All elements; a splat is repeated.
  std::vector<char> copy() const;

private:
  RawElements() = default;

  template <typename Word> int64_t read(int64_t index) const {
    Word word;
    std::memcpy(&word, getElement(index), sizeof(Word));
    return word;
  }
  /// The same of any width.
  int64_t readBytes(int64_t index) const;

  llvm::ArrayRef<char> data;
  /// What `data` refers to where the attribute holds bits.
  std::vector<char> unpacked;
  int64_t elementBytes = 0, count = 0;
  bool splat = false;
};

} // namespace nm

#endif // NM_SUPPORT_RAWELEMENTS_H
