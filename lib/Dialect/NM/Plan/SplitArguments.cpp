//===- SplitArguments.cpp - Weights of the caller as their arrays ---------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/Plan/Passes.h"
#include "nm/Support/SignatureAttributes.h"
#include "llvm/ADT/MapVector.h"

namespace nm {
#define GEN_PASS_DEF_NMSPLITARGUMENTSPASS
#include "nm/Dialect/NM/Plan/Passes.h.inc"
} // namespace nm

using namespace mlir;
using namespace nm;

namespace {
/// How a weight lies for some of its users.
struct ArgumentLayout {
  CondensedType type;
  StringRef order = "ascending";
  int64_t orderedRows = 0;
  SmallVector<OpOperand *> uses = {};
  /// The numbers of its arrays among those of the weight.
  unsigned values = 0, indices = 0;
};

/// An array of a weight, which several layouts may have.
struct ArgumentArray {
  RankedTensorType type;
  PartKind kind;
  SmallVector<Attribute> parts = {};
};
} // namespace

static void addUses(Value weight, ArgumentLayout &layout) {
  for (OpOperand &use : weight.getUses())
    layout.uses.push_back(&use);
}

/// The layouts in which `weight` is used, each once, in the order of its users:
/// as its type says, and as nm.pack does.
static SmallVector<ArgumentLayout> findLayouts(BlockArgument weight) {
  // Of an argument that nobody uses the caller has one array of each kind too.
  SmallVector<ArgumentLayout> layouts;
  SmallVector<OpOperand *> plain;
  llvm::MapVector<DictionaryAttr, ArgumentLayout> packed;
  SmallVector<Operation *> users(weight.user_begin(), weight.user_end());
  for (OpOperand &use : weight.getUses())
    if (!isa<PackOp>(use.getOwner()))
      plain.push_back(&use);
  // Users are listed from the last one on.
  for (Operation *user : llvm::reverse(users)) {
    auto pack = dyn_cast<PackOp>(user);
    if (!pack)
      continue;
    Builder b(pack.getContext());
    auto key = b.getDictionaryAttr(
        {b.getNamedAttr("type", TypeAttr::get(pack.getType())),
         b.getNamedAttr("order", pack.getOrderAttr()),
         b.getNamedAttr("rows", pack.getOrderedRowsAttr())});
    auto &layout = packed[key];
    layout.type = cast<CondensedType>(pack.getType());
    layout.order = pack.getOrder();
    layout.orderedRows = pack.getOrderedRows();
    addUses(pack, layout);
  }
  if (!plain.empty() || packed.empty())
    layouts.push_back({cast<CondensedType>(weight.getType()), "ascending", 0,
                       std::move(plain)});
  for (auto &[key, layout] : packed)
    layouts.push_back(std::move(layout));
  return layouts;
}

/// Whether values in these layouts are one array.
static bool shareValues(const ArgumentLayout &a, const ArgumentLayout &b) {
  PackingAttr one = a.type.getPacking(), other = b.type.getPacking();
  return one && other &&
         a.type.getValuesTensorType() == b.type.getValuesTensorType() &&
         one.getLaneRows() == other.getLaneRows() &&
         one.getFragments() == other.getFragments() && a.order == b.order &&
         a.orderedRows == b.orderedRows;
}

/// The arrays that `layouts` have, to which each is then told its numbers.
static SmallVector<ArgumentArray>
listArrays(int64_t weight, MutableArrayRef<ArgumentLayout> layouts) {
  SmallVector<ArgumentArray> arrays;
  for (int64_t number = 0, e = int64_t(layouts.size()); number < e; ++number) {
    ArgumentLayout &layout = layouts[number];
    auto getPart = [&](PartKind kind) {
      return PartAttr::get(layout.type.getContext(), weight, number, kind,
                           layout.type, layout.order, layout.orderedRows);
    };
    const ArgumentLayout *shared =
        llvm::find_if(layouts, [&](const ArgumentLayout &other) {
          return &other == &layout || shareValues(other, layout);
        });
    layout.values = shared == &layout ? arrays.size() : shared->values;
    if (shared == &layout)
      arrays.push_back({layout.type.getValuesTensorType(), PartKind::Values});
    arrays[layout.values].parts.push_back(getPart(PartKind::Values));
    layout.indices = arrays.size();
    arrays.push_back({layout.type.getIndicesTensorType(),
                      PartKind::Indices,
                      {getPart(PartKind::Indices)}});
  }
  return arrays;
}

/// What is said of the argument that is `array` of a weight called `name`: its
/// own name has the number of the first layout that has it.
static DictionaryAttr describeArray(const ArgumentArray &array,
                                    StringAttr name) {
  Builder b(array.type.getContext());
  NamedAttrList attributes;
  attributes.set(kPartAttr, b.getArrayAttr(array.parts));
  int64_t number = cast<PartAttr>(array.parts.front()).getLayout();
  if (name && !name.empty())
    attributes.set(kNameAttr,
                   b.getStringAttr(name.getValue() + "." +
                                   stringifyPartKind(array.kind) +
                                   (number > 0 ? "." + Twine(number) : "")));
  // Positions have no sign.
  if (array.kind == PartKind::Indices &&
      array.type.getElementType().isInteger(8))
    attributes.set(kUnsignedAttr, b.getUnitAttr());
  return attributes.getDictionary(b.getContext());
}

/// Gives `function` the arrays of argument `index`, weight number `weight`, in
/// its place. Returns how many they are.
static unsigned split(func::FuncOp function, unsigned index, int64_t weight) {
  BlockArgument argument = function.getArgument(index);
  SmallVector<ArgumentLayout> layouts = findLayouts(argument);
  SmallVector<ArgumentArray> arrays = listArrays(weight, layouts);
  auto name = function.getArgAttrOfType<StringAttr>(index, kNameAttr);
  for (auto [number, array] : llvm::enumerate(arrays))
    (void)function.insertArgument(index + 1 + number, array.type,
                                  describeArray(array, name),
                                  argument.getLoc());
  for (const ArgumentLayout &layout : layouts)
    for (OpOperand *use : layout.uses) {
      // Right before its use, so that no other op can come between.
      ImplicitLocOpBuilder b(argument.getLoc(), use->getOwner());
      use->set(AssembleOp::create(
          b, layout.type, function.getArgument(index + 1 + layout.values),
          function.getArgument(index + 1 + layout.indices), Value()));
    }
  for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
    user->erase();
  (void)function.eraseArgument(index);
  return arrays.size();
}

/// Whether a call could hand a weight to `function`, or get one from it.
static LogicalResult checkSignature(func::FuncOp function) {
  auto isWeight = [](Type type) { return isa<CondensedType>(type); };
  if (llvm::any_of(function.getResultTypes(), isWeight))
    return function.emitError("unsupported: a weight as a result; expected "
                              "tensors and numbers");
  bool isOpen = function.isPublic() && !function.isExternal();
  if (!isOpen && llvm::any_of(function.getArgumentTypes(), isWeight))
    return function.emitError("unsupported: a weight as an argument of a "
                              "function that is not public, or has no body");
  return success();
}

namespace {
struct SplitArguments : nm::impl::NMSplitArgumentsPassBase<SplitArguments> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (failed(checkSignature(function)))
        return signalPassFailure();
      int64_t weights = 0;
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (isa<CondensedType>(function.getArgumentTypes()[i]))
          i += split(function, i, weights++) - 1;
    }
  }
};
} // namespace
