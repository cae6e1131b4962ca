//===- Report.cpp - What was done with each product -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Report/Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace nm;

WeightBytes Report::getTotalBytes() const {
  WeightBytes total;
  auto add = [](uint64_t &sum, uint64_t bytes) {
    sum = llvm::SaturatingAdd(sum, bytes);
  };
  std::set<unsigned> weights, packed, values;
  // One weight may be packed in several ways, for products of several sizes.
  auto addPacked = [&](const ProductReport &product) {
    if (values.insert(product.packedValues).second) {
      add(total.values, product.bytes.values);
      add(total.padding, product.bytes.padding);
    }
    if (packed.insert(product.packedWeight).second)
      add(total.indices, product.bytes.indices);
  };
  for (const ProductReport &product : products) {
    const WeightBytes &bytes = product.bytes;
    if (weights.insert(product.weight).second) {
      add(total.dense, bytes.dense);
      add(total.condensed, bytes.condensed);
    }
    addPacked(product);
    llvm::for_each(product.variants, addPacked);
    total.packed = llvm::SaturatingAdd(total.values, total.indices);
  }
  return total;
}

const KernelReport *Report::findKernel(llvm::StringRef name) const {
  auto found = llvm::find_if(
      kernels, [&](const KernelReport &kernel) { return kernel.name == name; });
  return found == kernels.end() ? nullptr : &*found;
}

//===----------------------------------------------------------------------===//
// Table
//===----------------------------------------------------------------------===//

static std::string toText(const std::optional<int64_t> &value) {
  return value ? std::to_string(*value) : "?";
}

static std::string
toText(const std::array<std::optional<int64_t>, 3> &extents) {
  std::string text = toText(extents[0]);
  for (unsigned i : {1, 2})
    if (extents[1] != 1 || extents[2] != 1)
      text += "x" + toText(extents[i]);
  return text;
}

/// Prints `rows` in columns as wide as their widest entry; the first row is the
/// heading.
static void printColumns(const std::vector<std::vector<std::string>> &rows,
                         llvm::raw_ostream &os) {
  std::vector<size_t> widths(rows.front().size());
  for (const std::vector<std::string> &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const std::vector<std::string> &row : rows) {
    std::string line = " ";
    for (size_t i = 0; i < row.size(); ++i)
      line += " " + row[i] + std::string(widths[i] - row[i].size() + 1, ' ');
    os << llvm::StringRef(line).rtrim() << "\n";
  }
}

static std::string toText(const std::optional<uint64_t> &value) {
  return value ? std::to_string(*value) : "?";
}

static std::string orDash(llvm::StringRef text) {
  return text.empty() ? "-" : text.str();
}

/// `#nm.pattern<2:4, unit = 1x8>` as `2:4, unit = 1x8`.
static std::string shorten(llvm::StringRef attribute) {
  size_t begin = attribute.find('<');
  if (begin == llvm::StringRef::npos || !attribute.ends_with(">"))
    return attribute.str();
  return attribute.substr(begin + 1).drop_back().str();
}

static std::string describeSchedule(const ProductReport &product) {
  std::string text = orDash(shorten(product.schedule));
  return product.sharedBy.empty() ? text : text + " (" + product.sharedBy + ")";
}

/// One row a layer, sparse or not, then why.
static void printLayers(const Report &report, llvm::raw_ostream &os) {
  std::vector<std::vector<std::string>> rows = {
      {"layer", "op", "pattern", "type", "m", "n", "k", "dense bytes",
       "value bytes", "padding", "index bytes", "fused", "schedule", "location",
       "why"}};
  auto addProduct = [&](const ProductReport &product) {
    rows.push_back({product.name, product.op, shorten(product.pattern),
                    product.elementType,
                    product.mostRows ? "<= " + toText(product.mostRows)
                                     : toText(product.m),
                    std::to_string(product.n), std::to_string(product.k),
                    std::to_string(product.bytes.dense),
                    std::to_string(product.bytes.values),
                    std::to_string(product.bytes.padding),
                    std::to_string(product.bytes.indices),
                    orDash(llvm::join(product.fused, "+")),
                    describeSchedule(product), product.location,
                    orDash(product.reason)});
  };
  for (const ProductReport &product : report.products) {
    llvm::for_each(product.variants, addProduct);
    addProduct(product);
  }
  for (const CandidateReport &candidate : report.notRaised)
    rows.push_back(
        {orDash(candidate.name), candidate.op,
         candidate.pattern.empty() ? "dense" : shorten(candidate.pattern), "-",
         toText(candidate.m), toText(candidate.n), toText(candidate.k),
         toText(candidate.denseBytes), "-", "-", "-", "-", "-",
         candidate.location, candidate.reason});
  printColumns(rows, os);
}

/// The first layer, and how many more there are.
static std::string getLayers(const KernelReport &kernel) {
  if (kernel.layers.empty())
    return "";
  std::string text = kernel.layers.front();
  if (kernel.layers.size() > 1)
    text += " and " + std::to_string(kernel.layers.size() - 1) + " more";
  return text;
}

static void printKernels(const Report &report, llvm::raw_ostream &os) {
  bool isAssembled = llvm::any_of(report.kernels, [](const KernelReport &k) {
    return k.registers.has_value();
  });
  std::vector<std::vector<std::string>> rows = {
      {"name", "launches", "grid", "block", "shared bytes"}};
  if (isAssembled)
    rows.front().insert(rows.front().end(), {"registers", "spilled bytes"});
  bool isNamed = llvm::any_of(
      report.kernels, [](const KernelReport &k) { return !k.layers.empty(); });
  if (isNamed)
    rows.front().push_back("layers");
  for (const KernelReport &kernel : report.kernels) {
    rows.push_back({kernel.name, std::to_string(kernel.launches.size()),
                    toText(kernel.grid), toText(kernel.block),
                    toText(kernel.sharedMemoryBytes)});
    if (isAssembled)
      rows.back().insert(rows.back().end(),
                         {toText(kernel.registers), toText(kernel.spillBytes)});
    if (isNamed)
      rows.back().push_back(orDash(getLayers(kernel)));
  }
  printColumns(rows, os);
}

/// Each is one wait for the device.
static void printHostReads(const Report &report, llvm::raw_ostream &os) {
  os << "reads by the host, each of which waits for the device: "
     << report.hostReads.size() << "\n";
  std::vector<std::vector<std::string>> rows = {
      {"function", "type", "location"}};
  for (const HostReadReport &read : report.hostReads)
    rows.push_back({read.function, read.type, read.location});
  printColumns(rows, os);
}

static void printMemory(const Report &report, llvm::raw_ostream &os) {
  std::vector<std::vector<std::string>> rows = {
      {"function", "arguments", "constants", "buffers", "live maximum"}};
  for (const auto &[function, memory] : report.memory)
    rows.push_back({function, toText(memory.arguments),
                    toText(memory.constants), toText(memory.buffers),
                    toText(memory.getLiveMaximum())});
  printColumns(rows, os);
}

void nm::printLayerCounts(const Report &report, llvm::raw_ostream &os) {
  os << "layers: " << report.products.size() << " sparse, "
     << report.notRaised.size() << " dense\n";
  if (report.products.empty())
    os << "no layer is sparse: no product has an N:M-sparse constant\n";
}

void nm::printTable(const Report &report, llvm::raw_ostream &os) {
  os << report.input << " for " << report.chip << " (nm " << report.version
     << ", LLVM " << report.llvmVersion << ")\n";
  printLayerCounts(report, os);
  if (!report.products.empty() || !report.notRaised.empty())
    printLayers(report, os);
  WeightBytes bytes = report.getTotalBytes();
  os << "weights of sparse layers: " << bytes.dense << " bytes dense, "
     << bytes.condensed << " condensed, " << bytes.packed << " packed, "
     << bytes.padding << " of them padding\n";
  os << "kernels: " << report.kernels.size() << "\n";
  if (!report.kernels.empty())
    printKernels(report, os);
  if (!report.hostReads.empty())
    printHostReads(report, os);
  if (!report.memory.empty()) {
    os << "device memory in bytes, ? where it depends on the run:\n";
    printMemory(report, os);
  }
}
