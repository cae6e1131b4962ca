//===- NumericTypes.h - The table of types of numbers -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row a type, all in NumericTypes.def: how a number is stored, how exact it
// is, in what its products are summed. What follows from a type is asked here;
// docs/guides/add-a-numeric-type.md lists the places that a new one needs.
//
//===----------------------------------------------------------------------===//

#ifndef NM_NUMBERS_NUMERICTYPES_H
#define NM_NUMBERS_NUMERICTYPES_H

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nm {

/// In the order of the table.
enum class ElementType {
#define NM_NUMERIC_TYPE(id, ...) id,
#include "nm/Numbers/NumericTypes.def"
};

/// How many there are.
inline constexpr size_t kNumericTypes = 0
#define NM_NUMERIC_TYPE(...) +1
#include "nm/Numbers/NumericTypes.def"
    ;

enum class NumberKind { Float, Signed, Unsigned, Complex };

/// A row; NumericTypes.def says what the columns mean.
struct NumericType {
  ElementType id;
  std::string_view name;
  NumberKind kind;
  unsigned bits;
  unsigned bytes;
  unsigned precision;
  std::string_view npy;
  std::string_view dtype;
  std::string_view safetensors;
  unsigned dlpack;
  double tolerance;
  std::optional<ElementType> accumulator;
  bool isResult;
  std::optional<ElementType> part;
  double (*read)(const void *place);
  /// Rounds floats to nearest even; an integer must be in range.
  void (*write)(void *place, double value);

  bool isFloat() const { return kind == NumberKind::Float; }
  bool isComplex() const { return kind == NumberKind::Complex; }
  /// Whether numpy lacks it: a .npy file has it as opaque bytes, or as an f32,
  /// which holds every number of such a type.
  bool isOpaque() const { return npy.size() > 1 && npy[1] == 'V'; }
  /// Largest relative error of one rounding to this type; 0 for integers.
  double unitRoundoff() const;
};

const NumericType &getNumericType(ElementType type);

/// All rows, in their order.
const std::array<NumericType, kNumericTypes> &getNumericTypes();

/// The row that a .npy file's `descr` names; null if there is none. Opaque
/// bytes do not say what they hold: they are of the type `opaque` where that
/// has as many, and else of the first row that has.
const NumericType *
lookupNpyType(std::string_view descr,
              std::optional<ElementType> opaque = std::nullopt);

/// The type in which products of activations of type `a` and weights of type
/// `weight` are summed: that of `a`. The weight is of the same kind and no more
/// exact than that, or an integer beside a float, widened when it is read
/// (weight-only quantization).
/// Nothing where no kernel takes the two.
std::optional<ElementType> getAccumulator(ElementType a, ElementType weight);

/// Whether products of any type are summed in `type`.
bool isAccumulator(ElementType type);

/// Whether sums of type `accumulator` may be stored as `result`: as they are,
/// or rounded to a float that they can be the sums of.
bool isProductResult(ElementType accumulator, ElementType result);

// For messages, as "f16, bf16 or f32":

/// `words` with commas and, before the last, "or".
std::string joinWithOr(const std::vector<std::string> &words);
/// The types of weights and activations.
std::string listOperandTypes();
/// The types as which sums of type `accumulator` may be stored.
std::string listProductResults(ElementType accumulator);
/// The types of .npy files, as numpy abbreviates them: "f2", "V2 (bf16)".
std::string listNpyTypes();
/// The tolerances of nm-run: "1e-05 for f32 and f64, ... 0 for integers".
std::string listTolerances();

} // namespace nm

#endif // NM_NUMBERS_NUMERICTYPES_H
