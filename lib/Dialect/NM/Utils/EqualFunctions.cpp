//===- EqualFunctions.cpp - Functions that are equal ----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Dialect/NM/Utils/EqualFunctions.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace nm;

/// What a function says of itself, without its name.
static DictionaryAttr getNamelessAttributes(FunctionOpInterface function) {
  NamedAttrList attributes(function->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  return attributes.getDictionary(function->getContext());
}

/// Equal for equal functions. Which operation uses the result of which is left
/// to the comparison.
static llvm::hash_code computeHash(FunctionOpInterface function) {
  llvm::hash_code hash = hash_value(Attribute(getNamelessAttributes(function)));
  function.getFunctionBody().walk([&](Operation *op) {
    hash = llvm::hash_combine(hash, op->getName(),
                              Attribute(op->getRawDictionaryAttrs()),
                              op->hashProperties(), op->getNumOperands(),
                              llvm::hash_combine_range(op->result_type_begin(),
                                                       op->result_type_end()));
  });
  return hash;
}

static bool areEqual(FunctionOpInterface a, FunctionOpInterface b) {
  return a->getName() == b->getName() &&
         getNamelessAttributes(a) == getNamelessAttributes(b) &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getFunctionBody(), &b.getFunctionBody(),
             OperationEquivalence::IgnoreLocations);
}

SmallVector<EqualFunctions>
nm::groupEqualFunctions(ArrayRef<FunctionOpInterface> functions) {
  SmallVector<EqualFunctions> groups;
  llvm::DenseMap<size_t, SmallVector<size_t, 1>> groupsByHash;
  for (FunctionOpInterface function : functions) {
    SmallVector<size_t, 1> &candidates = groupsByHash[computeHash(function)];
    auto *found = llvm::find_if(candidates, [&](size_t number) {
      return areEqual(groups[number].front(), function);
    });
    if (found != candidates.end()) {
      groups[*found].push_back(function);
      continue;
    }
    candidates.push_back(groups.size());
    groups.push_back({function});
  }
  return groups;
}
