//===- SignatureTest.cpp - What a function takes and gives ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Entry/Signature.h"
#include "nm/Support/NumberOps.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace nm;

namespace {

class SignatureTest : public testing::Test {
protected:
  SignatureTest()
      : handler(&context, [this](Diagnostic &diagnostic) {
          error = diagnostic.str();
          return success();
        }) {
    context.loadDialect<func::FuncDialect>();
  }

  void parse(StringRef text) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << error;
  }

  MLIRContext context;
  std::string error;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(SignatureTest, Types) {
  parse("func.func @f(%a: tensor<?x4xf32>, %b: memref<2xbf16>, %c: i64, "
        "%d: tensor<i1>) -> (tensor<3xui8>, index) {\n"
        "  %0:2 = call @g() : () -> (tensor<3xui8>, index)\n"
        "  return %0#0, %0#1 : tensor<3xui8>, index\n}\n"
        "func.func private @g() -> (tensor<3xui8>, index)");
  auto entry = findEntry(*module, "");
  ASSERT_TRUE(succeeded(entry)) << error;
  auto signature = getSignature(*entry);
  ASSERT_TRUE(succeeded(signature)) << error;
  EXPECT_EQ(signature->name, "f");
  ASSERT_EQ(signature->arguments.size(), 4u);
  EXPECT_EQ(signature->arguments[0].str(), "?x4xf32");
  EXPECT_FALSE(signature->arguments[0].isStatic());
  EXPECT_EQ(signature->arguments[1].str(), "2xbf16");
  EXPECT_TRUE(signature->arguments[2].isScalar);
  EXPECT_FALSE(signature->arguments[3].isScalar);
  EXPECT_EQ(signature->arguments[3].str(), "bool");
  ASSERT_EQ(signature->results.size(), 2u);
  EXPECT_EQ(signature->results[0].str(), "3xu8");
  EXPECT_EQ(signature->results[1].str(), "i64");
}

TEST_F(SignatureTest, RefusesWhatHostArraysCannotHold) {
  for (StringRef type :
       {"tensor<*xf32>", "tensor<4xi7>", "tensor<2xf8E5M2>",
        "memref<2x2xf32, strided<[1, 2]>>", "vector<4xf32>", "complex<f16>"}) {
    parse(("func.func @f(%a: f32, %b: " + type + ") { return }").str());
    auto entry = findEntry(*module, "f");
    ASSERT_TRUE(succeeded(entry));
    EXPECT_TRUE(failed(getSignature(*entry))) << type.str();
    EXPECT_EQ(error, "expected argument #1 to be a number or a ranked array "
                     "without strides, of " +
                         listNumericTypes(&context) + ", got '" + type.str() +
                         "'");
  }
}

TEST_F(SignatureTest, NamesAndState) {
  auto get = [&](StringRef signature) {
    parse(("func.func @f(" + signature + "{\n  return %a : tensor<2xf32>\n}")
              .str());
    return getSignature(*findEntry(*module, "f"));
  };
  auto signature =
      get("%a: tensor<2xf32> {nm.name = \"total\", nm.state = dense<1.0> : "
          "tensor<2xf32>}, %b: f32) -> (tensor<2xf32> {nm.name = \"new\"})");
  ASSERT_TRUE(succeeded(signature)) << error;
  EXPECT_EQ(signature->argumentNames, (std::vector<std::string>{"total", ""}));
  EXPECT_EQ(signature->resultNames, std::vector<std::string>{"new"});
  ASSERT_EQ(signature->initialState.size(), 1u);
  EXPECT_TRUE(failed(get("%b: f32, %a: tensor<2xf32> {nm.state = dense<1.0> : "
                         "tensor<2xf32>}) -> tensor<2xf32>")));
  EXPECT_EQ(error, "expected state as the first arguments, got `nm.state` on "
                   "argument #1 without one before it");
  EXPECT_TRUE(failed(
      get("%b: tensor<3xf32> {nm.state = dense<1.0> : tensor<3xf32>}, %a: "
          "tensor<2xf32>) -> tensor<2xf32>")));
  EXPECT_EQ(error, "expected the new state as the first results, got none of "
                   "type 'tensor<3xf32>' as result #0");
}

TEST_F(SignatureTest, FindsEntries) {
  parse("func.func @f() { return }\nfunc.func @g() { return }\n"
        "func.func private @h() { return }");
  EXPECT_TRUE(succeeded(findEntry(*module, "g")));
  EXPECT_TRUE(failed(findEntry(*module, "")));
  EXPECT_EQ(error, "expected the name of an entry, one of `f`, `g`");
  EXPECT_TRUE(failed(findEntry(*module, "h")));
  EXPECT_EQ(error, "expected an entry among `f`, `g`, got `h`");
  parse("func.func private @h()");
  EXPECT_TRUE(failed(findEntry(*module, "")));
  EXPECT_EQ(error, "expected a public function with a body");
}
