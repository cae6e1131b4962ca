//===- NumericTypes.h - The table of types of numbers -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row a type, all in NumericTypes.cpp: how a number is stored, how exact it
// is, in what its products are summed. What follows from a type is asked here;
// docs/guides/add-a-numeric-type.md lists the places that a new one needs.
//
//===----------------------------------------------------------------------===//

#ifndef NM_TARGET_NUMERICTYPES_H
#define NM_TARGET_NUMERICTYPES_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace nm {

/// In the order of the table.
enum class ElementType {
  F16,
  BF16,
  F32,
  F64,
  I8,
  I16,
  I32,
  I64,
  U8,
  Bool,
  C64,
  C128
};

/// How many there are.
inline constexpr int kElementTypes = static_cast<int>(ElementType::C128) + 1;

enum class NumberKind { Float, Signed, Unsigned, Complex };

struct NumericType {
  ElementType id;
  std::string_view name; // as MLIR and messages say it
  NumberKind kind;
  unsigned bits;      // of its values
  unsigned bytes;     // of storage, and its alignment
  unsigned precision; // bits of a float's significand, the hidden one included
  std::string_view npy; // what a .npy file calls it; empty if it cannot
  double tolerance;     // relative error that nm-run allows without --tolerance
  /// In which products of weights and activations of this type are summed;
  /// nothing where no kernel takes such operands.
  std::optional<ElementType> accumulator;
  /// Of a complex number: the type of its two parts, the real one first.
  std::optional<ElementType> part;
  /// Null for complex numbers, whose parts are read and written one by one.
  double (*read)(const void *place);
  /// Rounds floats to nearest even; an integer must be in range.
  void (*write)(void *place, double value);

  bool isFloat() const { return kind == NumberKind::Float; }
  bool isComplex() const { return kind == NumberKind::Complex; }
  /// Largest relative error of one rounding to this type; 0 for integers.
  double unitRoundoff() const;
};

const NumericType &getNumericType(ElementType type);

/// The row that a .npy file's `descr` names; null if there is none. Element
/// types that numpy lacks are stored as opaque bytes: ml_dtypes writes bf16 as
/// two of them.
const NumericType *lookupNpyType(std::string_view descr);

/// The type in which products of activations of type `a` and weights of type
/// `weight` are summed: that of `a`. The weight is of the same kind and no more
/// exact than that, or an integer beside a float, widened when it is read
/// (weight-only quantization).
/// Nothing where no kernel takes the two.
std::optional<ElementType> getAccumulator(ElementType a, ElementType weight);

/// Whether products of any type are summed in `type`.
bool isAccumulator(ElementType type);

/// The types of weights and activations, for messages: "f16, bf16, f32 or i8".
std::string listOperandTypes();

/// Whether sums of type `accumulator` may be stored as `result`: as they are,
/// or rounded to a float that they can be the sums of.
bool isProductResult(ElementType accumulator, ElementType result);

} // namespace nm

#endif // NM_TARGET_NUMERICTYPES_H
