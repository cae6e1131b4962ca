//===- Remarks.cpp - Remarks of passes ------------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/Remarks.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "nm/Base/Assert.h"
#include "nm/Support/Locations.h"
#include "llvm/ADT/ArrayRef.h"

using namespace mlir;
using namespace nm;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace nm::remark_table {
using llvm::ArrayRef;
using llvm::StringRef;
using mlir::remark::RemarkKind;

namespace {
struct RemarkKeyRow {
  RemarkKey id;
  const char *spelling;
};

/// A bit for each key.
using KeySet = uint64_t;

constexpr KeySet makeKeySet(RemarkKey key) { return KeySet(1) << key; }

struct RemarkRow {
  RemarkId id;
  RemarkKind kind;
  const char *category;
  const char *name;
  KeySet keys;
};

#define GET_RemarkKeyTable_DECL
#define GET_RemarkKeyTable_IMPL
#define GET_RemarkTable_DECL
#define GET_RemarkTable_IMPL
#include "nm/Support/Remarks.inc"
} // namespace
} // namespace nm::remark_table

static const remark_table::RemarkRow &getRow(RemarkId id) {
  return *remark_table::lookupRemark(id);
}

StringRef nm::getCategory(RemarkId id) { return getRow(id).category; }

StringRef nm::getName(RemarkId id) { return getRow(id).name; }

StringRef nm::getSpelling(RemarkKey key) {
  return remark_table::lookupRemarkKey(key)->spelling;
}

//===----------------------------------------------------------------------===//
// Emitting
//===----------------------------------------------------------------------===//

/// The name of the function that `op` is, or is in.
static StringRef getFunctionName(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  return function ? function.getName() : "";
}

static remark::detail::InFlightRemark start(Operation *op, RemarkId id) {
  auto options = remark::RemarkOpts::name(getName(id))
                     .category(getCategory(id))
                     .function(getFunctionName(op));
  switch (getRow(id).kind) {
  case remark::RemarkKind::RemarkPassed:
    return remark::passed(op->getLoc(), options);
  case remark::RemarkKind::RemarkMissed:
    return remark::missed(op->getLoc(), options);
  case remark::RemarkKind::RemarkAnalysis:
    return remark::analysis(op->getLoc(), options);
  default:
    llvm_unreachable("the table has no other kinds");
  }
}

nm::Remark nm::emitRemark(Operation *op, RemarkId id) {
  remark::detail::InFlightRemark remark = start(op, id);
  if (remark)
    if (StringRef layer = getLayerName(op->getLoc()); !layer.empty())
      remark << remark::metric(getSpelling(RemarkKey::Layer), layer);
  return {id, std::move(remark)};
}

nm::Remark &nm::Remark::operator<<(const RemarkEntry &entry) {
  NM_ASSERT(getRow(id).keys & remark_table::makeKeySet(entry.key),
            ("expected a key that Remarks.td lists for " + getCategory(id) +
             "'s " + getName(id) + ", got " + getSpelling(entry.key))
                .str()
                .c_str());
  remark << entry.text;
  return *this;
}

//===----------------------------------------------------------------------===//
// Listening
//===----------------------------------------------------------------------===//

std::optional<RemarkId> nm::findRemark(const remark::detail::Remark &remark) {
  const remark_table::RemarkRow *row = remark_table::lookupRemarkByName(
      remark.getCategoryName(), remark.getRemarkName());
  return row ? std::optional(row->id) : std::nullopt;
}

StringRef nm::findEntry(const remark::detail::Remark &remark, RemarkKey key) {
  for (const remark::detail::Remark::Arg &arg : remark.getArgs())
    if (arg.key == getSpelling(key))
      return arg.val;
  return "";
}
