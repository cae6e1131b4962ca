//===- KernelCase.cpp - One kernel of the numeric suite -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCase.h"

#include <sstream>

using namespace nm;
using namespace nm::numeric;
using reference::Layout;

int64_t KernelCase::windowUnits() const {
  int64_t units = (k + pattern.unitK - 1) / pattern.unitK;
  return pattern.window == 0 ? units : pattern.window;
}

int64_t KernelCase::indexBytes() const {
  int64_t units = windowUnits();
  return units <= 256 ? 1 : units <= 65536 ? 2 : 4;
}

std::vector<int64_t> KernelCase::shapeOf(int64_t columns, Layout layout) const {
  if (isVector)
    return {columns};
  if (layout == Layout::TokenMajor)
    return {m, columns};
  return {columns, m};
}

static const char *nameOf(reference::Epilogue epilogue) {
  switch (epilogue) {
  case reference::Epilogue::None:
    return "none";
  case reference::Epilogue::Relu:
    return "relu";
  case reference::Epilogue::GeluErf:
    return "gelu_erf";
  case reference::Epilogue::GeluTanh:
    return "gelu_tanh";
  case reference::Epilogue::Silu:
    return "silu";
  }
  return "?";
}

static const char *nameOf(reference::Combine combine) {
  return combine == reference::Combine::Add ? "add" : "mul";
}

static const char *nameOf(Layout layout) {
  return layout == Layout::TokenMajor ? "token_major" : "feature_major";
}

static std::string patternText(const sparsity::Pattern &pattern) {
  std::ostringstream text;
  text << pattern.keep << ':';
  if (pattern.window == 0)
    text << "all";
  else
    text << pattern.window;
  text << ", unit = " << pattern.unitK << 'x' << pattern.unitN;
  return text.str();
}

std::string CaseTypes::str() const {
  auto name = [](ElementType type) {
    return std::string(getNumericType(type).name);
  };
  return name(a) + " x " + name(weight) + " -> " + name(c);
}

std::string KernelCase::describe() const {
  std::ostringstream text;
  text << (isVector ? "spmv" : "spmm") << " m=" << m << " n=" << n << " k=" << k
       << " <" << patternText(pattern) << "> " << types.str()
       << " A=" << nameOf(layoutA) << " C=" << nameOf(layoutC)
       << " weight=" << (constantWeight ? "constant" : "arguments")
       << " epilogue=" << nameOf(epilogue) << (hasScale ? " scale" : "")
       << (hasBias ? " bias" : "") << (hasResidual ? " residual=" : "")
       << (hasResidual ? nameOf(combine) : "") << " promote=" << promote
       << " pack=" << packTile << " stage-transposes=" << stageTransposes
       << " double-buffer=" << doubleBuffer << " prefetch=" << prefetch
       << " chip=" << chip;
  text << " schedule=" << (schedule.empty() ? "selected" : schedule);
  if (schedule.empty() && stages)
    text << " stages=" << *stages;
  if (schedule.empty() && packingThreshold)
    text << " packing-threshold=" << *packingThreshold;
  return text.str();
}

std::string nm::numeric::makeOptions(const KernelCase &c) {
  std::ostringstream text;
  text << "chip=" << c.chip << " promote=" << c.promote
       << " pack-tile=" << c.packTile
       << " stage-transposes=" << c.stageTransposes
       << " double-buffer=" << c.doubleBuffer
       << " prefetch-fragments=" << c.prefetch;
  if (c.stages)
    text << " stages=" << *c.stages;
  if (c.packingThreshold)
    text << " packing-threshold=" << *c.packingThreshold;
  return text.str();
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static std::string hexElements(const std::string &bytes) {
  static const char digits[] = "0123456789ABCDEF";
  std::string text = "dense<\"0x";
  for (unsigned char byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text + "\">";
}

static std::string tensorType(const std::vector<int64_t> &shape,
                              const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

std::string nm::numeric::makeModule(const KernelCase &c, const CaseData &data) {
  auto nameOfType = [](ElementType type) {
    return std::string(getNumericType(type).name);
  };
  auto matrix = [&](int64_t columns, Layout layout, ElementType type) {
    return tensorType(c.shapeOf(columns, layout), nameOfType(type));
  };
  int64_t rows = data.weight.values.size() / c.n;
  int64_t indexColumns = (c.n + c.pattern.unitN - 1) / c.pattern.unitN;
  std::string typeA = matrix(c.k, c.layoutA, c.types.a),
              typeC = matrix(c.n, c.layoutC, c.types.c);
  std::string typeBias = tensorType({c.n}, nameOfType(c.types.c));
  std::string typeValues = tensorType({rows, c.n}, nameOfType(c.types.weight));
  std::string typeIndices =
      tensorType({rows / c.pattern.unitK, indexColumns},
                 "i" + std::to_string(8 * c.indexBytes()));
  std::string typeWeight = "!nm.condensed<" + std::to_string(c.k) + "x" +
                           std::to_string(c.n) + "x" +
                           nameOfType(c.types.weight) + ", #nm.pattern<" +
                           patternText(c.pattern) + ">>";

  std::ostringstream text;
  text << "func.func @f(%a: " << typeA;
  if (!c.constantWeight)
    text << ", %v: " << typeValues << ", %d: " << typeIndices;
  if (c.hasScale)
    text << ", %scale: " << typeBias;
  if (c.hasBias)
    text << ", %bias: " << typeBias;
  if (c.hasResidual)
    text << ", %residual: " << typeC;
  text << ") -> " << typeC << " {\n";
  if (c.constantWeight)
    text << "  %w = nm.constant {values = "
         << hexElements(toBytes(data.weight.values, c.types.weight)) << " : "
         << typeValues << ", indices = "
         << hexElements(toIndexBytes(data.weight, c.indexBytes())) << " : "
         << typeIndices << "} : " << typeWeight << "\n";
  else
    text << "  %w = nm.assemble %v, %d : " << typeValues << ", " << typeIndices
         << " -> " << typeWeight << "\n";
  text << "  %init = tensor.empty() : " << typeC << "\n  %c = nm."
       << (c.isVector ? "spmv" : "spmm") << " %a, %w";
  if (c.hasScale)
    text << " scale(%scale : " << typeBias << ")";
  if (c.hasBias)
    text << " bias(%bias : " << typeBias << ")";
  if (c.hasResidual)
    text << " residual(%residual : " << typeC << ")";
  text << " outs(%init : " << typeC
       << ") {acc = " << nameOfType(*getAccumulator(c.types.a, c.types.weight))
       << ", epilogue = #nm.epilogue<" << nameOf(c.epilogue)
       << ">, combine = #nm.combine<" << nameOf(c.combine) << ">";
  if (!c.isVector)
    text << ", a_layout = #nm.layout<" << nameOf(c.layoutA)
         << ">, c_layout = #nm.layout<" << nameOf(c.layoutC) << ">";
  if (!c.schedule.empty())
    text << ", schedule = " << c.schedule;
  text << "} : " << typeA << ", " << typeWeight << " -> " << typeC
       << "\n  return %c : " << typeC << "\n}\n";
  return text.str();
}
