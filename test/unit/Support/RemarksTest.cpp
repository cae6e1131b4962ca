//===- RemarksTest.cpp - The table of remarks -----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/Remarks.h"

#include "mlir/IR/BuiltinOps.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nm;

namespace {
/// Keeps what the last remark was and had.
struct Listener : remark::detail::MLIRRemarkStreamerBase {
  struct Seen {
    std::optional<RemarkId> id;
    std::string callee, reason, layer;
  };

  explicit Listener(Seen &seen) : seen(seen) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    seen = {findRemark(remark), findEntry(remark, RemarkKey::Callee).str(),
            findEntry(remark, RemarkKey::Reason).str(),
            findEntry(remark, RemarkKey::Layer).str()};
  }

  Seen &seen;
};

class RemarksTest : public ::testing::Test {
protected:
  RemarksTest()
      : module(
            ModuleOp::create(NameLoc::get(StringAttr::get(&context, "layers.0"),
                                          UnknownLoc::get(&context)))) {}

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_F(RemarksTest, ListenerFindsIdAndEntries) {
  Listener::Seen seen;
  remark::RemarkCategories categories;
  categories.missed = "nm-inline-calls";
  ASSERT_TRUE(succeeded(remark::enableOptimizationRemarks(
      context, std::make_unique<Listener>(seen),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)));
  emitRemark(*module, RemarkId::NotInlined)
      << remarkKey(RemarkKey::Callee, "f") << remarkReason("{0} ops", 7);
  EXPECT_EQ(seen.id, RemarkId::NotInlined);
  EXPECT_EQ(seen.callee, "f");
  EXPECT_EQ(seen.reason, "7 ops");
  EXPECT_EQ(seen.layer, "layers.0");
}

TEST_F(RemarksTest, NameOfAnotherPassIsNotFound) {
  remark::detail::OptRemarkPass remark(
      module->getLoc(),
      remark::RemarkOpts::name("raised").category("nm-inline-calls"));
  EXPECT_EQ(findRemark(remark), std::nullopt);
}

#ifdef NM_ASSERTIONS
// Also where nobody listens.
TEST_F(RemarksTest, RefusesKeysThatTheTableDoesNotList) {
  EXPECT_DEATH(emitRemark(*module, RemarkId::NotInlined)
                   << remarkKey(RemarkKey::Rows, 1),
               "expected a key that Remarks.td lists for nm-inline-calls's "
               "not-inlined, got Rows");
}
#endif
