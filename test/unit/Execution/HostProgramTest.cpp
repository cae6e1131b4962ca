//===- HostProgramTest.cpp - Calls by the host ABI ------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions are written in the LLVM dialect, as the lowerings leave them,
// so that only the ABI is under test.
//
//===----------------------------------------------------------------------===//

#include "nm/Execution/HostProgram.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nm;

/// result = the argument's transpose, in fresh memory that @copy makes of 24
/// bytes; status 0.
static const char *const kTranspose = R"mlir(
llvm.func @_mlir_ciface_f(%ctx: !llvm.ptr, %res: !llvm.ptr, %arg: !llvm.ptr) -> i32 {
  %d = llvm.load %arg : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
  %s0 = llvm.extractvalue %d[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
  %s1 = llvm.extractvalue %d[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
  %t0 = llvm.extractvalue %d[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
  %t1 = llvm.extractvalue %d[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
  %a = llvm.insertvalue %s1, %d[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
  %src = llvm.extractvalue %d[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
  %new = llvm.call @copy(%ctx, %src) : (!llvm.ptr, !llvm.ptr) -> !llvm.ptr
  %a0 = llvm.insertvalue %new, %a[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
  %a1 = llvm.insertvalue %new, %a0[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
  %b = llvm.insertvalue %s0, %a1[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
  %c = llvm.insertvalue %t1, %b[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
  %e = llvm.insertvalue %t0, %c[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
  llvm.store %e, %res : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>, !llvm.ptr
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
)mlir";

static const char *const kCopy = R"mlir(
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func internal @copy(%ctx: !llvm.ptr, %src: !llvm.ptr) -> !llvm.ptr {
  %bytes = llvm.mlir.constant(24 : i64) : i64
  %new = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
  "llvm.intr.memcpy"(%new, %src, %bytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return %new : !llvm.ptr
}
)mlir";

/// result 0 = argument 0 rounded to bf16 (by the runtime's conversion), result
/// 1 = argument 1 + 1.
static const char *const kScalars = R"mlir(
llvm.func @_mlir_ciface_f(%ctx: !llvm.ptr, %r0: !llvm.ptr, %r1: !llvm.ptr, %x: f32, %i: i64) -> i32 {
  %h = llvm.fptrunc %x : f32 to bf16
  llvm.store %h, %r0 : bf16, !llvm.ptr
  %one = llvm.mlir.constant(1 : i64) : i64
  %j = llvm.add %i, %one : i64
  llvm.store %j, %r1 : i64, !llvm.ptr
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
)mlir";

/// Fails as a cf.assert does.
static const char *const kFails = R"mlir(
llvm.func @nmrtAssertionFailed(!llvm.ptr, !llvm.ptr) -> i32
llvm.mlir.global internal constant @text("m > 0\00")
llvm.func @_mlir_ciface_f(%ctx: !llvm.ptr) -> i32 {
  %t = llvm.mlir.addressof @text : !llvm.ptr
  %s = llvm.call @nmrtAssertionFailed(%ctx, %t) : (!llvm.ptr, !llvm.ptr) -> i32
  llvm.return %s : i32
}
)mlir";

namespace {

class HostProgramTest : public testing::Test {
protected:
  HostProgramTest() { context.loadDialect<LLVM::LLVMDialect, DLTIDialect>(); }

  llvm::Expected<std::vector<Tensor>> run(StringRef text, Signature signature,
                                          ArrayRef<Tensor> inputs) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    signature.name = "f";
    program = llvm::cantFail(HostProgram::create(*module, signature, 2));
    return program->call(inputs);
  }

  MLIRContext context;
  std::unique_ptr<HostProgram> program;
};

} // namespace

TEST_F(HostProgramTest, StridedResult) {
  Tensor input = makeTensor(ElementType::F32, {2, 3});
  for (int i = 0; i < 6; ++i)
    input.set(i, i);
  Signature signature{
      "f", {{ElementType::F32, {2, -1}}}, {{ElementType::F32, {-1, 2}}}};
  auto results = run(std::string(kTranspose) + kCopy, signature, input);
  ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
  ASSERT_EQ(results->size(), 1u);
  const Tensor &result = results->front();
  EXPECT_EQ(result.shape, (std::vector<int64_t>{3, 2}));
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(result.at(i), i % 2 * 3 + i / 2);
}

TEST_F(HostProgramTest, EmptyResult) {
  Tensor input = makeTensor(ElementType::F32, {0, 3});
  Signature signature{
      "f", {{ElementType::F32, {-1, 3}}}, {{ElementType::F32, {3, -1}}}};
  std::string text = std::string(kTranspose) + kCopy;
  text.replace(text.find("constant(24 "), 11, "constant(0");
  auto results = run(text, signature, input);
  ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
  EXPECT_EQ(results->front().shape, (std::vector<int64_t>{3, 0}));
}

TEST_F(HostProgramTest, ResultOfAnotherShapeIsAnError) {
  Tensor input = makeTensor(ElementType::F32, {2, 3});
  Signature signature{
      "f", {{ElementType::F32, {2, 3}}}, {{ElementType::F32, {2, 3}}}};
  auto results = run(std::string(kTranspose) + kCopy, signature, input);
  ASSERT_FALSE(bool(results));
  EXPECT_EQ(llvm::toString(results.takeError()),
            "expected result #0 to be 2x3xf32, got 3x2xf32");
}

TEST_F(HostProgramTest, Scalars) {
  Tensor x = makeTensor(ElementType::F32, {});
  x.set(0, 1.0 + 0x1p-8 + 0x1p-20);
  Tensor i = makeTensor(ElementType::I64, {});
  i.set(0, 41);
  Signature signature{
      "f",
      {{ElementType::F32, {}, true}, {ElementType::I64, {}, true}},
      {{ElementType::BF16, {}, true}, {ElementType::I64, {}, true}}};
  auto results = run(kScalars, signature, {x, i});
  ASSERT_TRUE(bool(results)) << llvm::toString(results.takeError());
  EXPECT_EQ(results->at(0).at(0), 1.0 + 0x1p-7);
  EXPECT_EQ(results->at(1).at(0), 42);
}

TEST_F(HostProgramTest, UnknownFunctionIsAnError) {
  auto module = parseSourceString<ModuleOp>(kScalars, &context);
  Signature unknown;
  unknown.name = "g";
  auto missing = HostProgram::create(*module, unknown, 0);
  ASSERT_FALSE(bool(missing));
  EXPECT_NE(llvm::toString(missing.takeError()).find("_mlir_ciface_g"),
            std::string::npos);
}

TEST_F(HostProgramTest, StatusAndTextOfAFailure) {
  auto results = run(kFails, {}, {});
  ASSERT_FALSE(bool(results));
  EXPECT_EQ(llvm::toString(results.takeError()),
            "`f` failed with status 7: m > 0");
}
