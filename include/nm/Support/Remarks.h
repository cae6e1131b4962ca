//===- Remarks.h - Remarks of passes ----------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a pass did, or did not do, it reports as a remark of the table in
// Remarks.td:
//
//   emitRemark(op, RemarkId::NotInlined)
//       << remarkKey(RemarkKey::Callee, name) << remarkReason("{0}", why);
//
//===----------------------------------------------------------------------===//

#ifndef NM_SUPPORT_REMARKS_H
#define NM_SUPPORT_REMARKS_H

#include "mlir/IR/Remarks.h"
#include <optional>

namespace nm {

/// llvm-tblgen makes enums that are not scoped: their enumerators stay in here.
namespace remark_table {
#define GET_RemarkId_DECL
#define GET_RemarkKey_DECL
#include "nm/Support/Remarks.inc"
} // namespace remark_table

/// The remarks and the keys of the table.
using remark_table::RemarkId;
using remark_table::RemarkKey;

/// The pass that emits the remark `id`.
llvm::StringRef getCategory(RemarkId id);

/// The remark's name, which is unique among those of its pass.
llvm::StringRef getName(RemarkId id);

/// The key as users read it.
llvm::StringRef getSpelling(RemarkKey key);

/// What a remark says under a key. The text is only made when someone listens.
struct RemarkEntry {
  RemarkKey key;
  mlir::remark::detail::LazyTextBuild text;
};

/// `value`, a number, text, type, attribute or value, under `key`.
template <typename T> RemarkEntry remarkKey(RemarkKey key, T &&value) {
  return {key, mlir::remark::metric(getSpelling(key), std::forward<T>(value))};
}

/// Why, as llvm::formatv writes it.
template <typename... Ts>
RemarkEntry remarkReason(const char *format, Ts &&...values) {
  return {RemarkKey::Reason,
          mlir::remark::reason(format, std::forward<Ts>(values)...)};
}

/// A remark that is emitted where its life ends.
class Remark {
public:
  Remark(RemarkId id, mlir::remark::detail::InFlightRemark remark)
      : id(id), remark(std::move(remark)) {}

  /// Adds an entry. The key must be one that the table lists for the remark.
  Remark &operator<<(const RemarkEntry &entry);

private:
  RemarkId id;
  mlir::remark::detail::InFlightRemark remark;
};

/// The remark `id` about `op`, with the function and the layer that `op`
/// belongs to.
Remark emitRemark(mlir::Operation *op, RemarkId id);

/// Which of the table's remarks `remark` is; none for one of another project.
std::optional<RemarkId> findRemark(const mlir::remark::detail::Remark &remark);

/// What `remark` says under `key`; "" if nothing.
llvm::StringRef findEntry(const mlir::remark::detail::Remark &remark,
                          RemarkKey key);

} // namespace nm

#endif // NM_SUPPORT_REMARKS_H
