//===- Report.cpp - What was done with each product -----------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "CompileOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace nm;
namespace json = llvm::json;

WeightBytes Report::getTotalBytes() const {
  WeightBytes total;
  for (const ProductReport &product : products) {
    total.dense = llvm::SaturatingAdd(total.dense, product.bytes.dense);
    total.condensed =
        llvm::SaturatingAdd(total.condensed, product.bytes.condensed);
    total.packed = llvm::SaturatingAdd(total.packed, product.bytes.packed);
  }
  return total;
}

const KernelReport *Report::findKernel(llvm::StringRef name) const {
  auto found = llvm::find_if(
      kernels, [&](const KernelReport &kernel) { return kernel.name == name; });
  return found == kernels.end() ? nullptr : &*found;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Value toJSON(const std::optional<int64_t> &value) {
  return value ? json::Value(*value) : json::Value(nullptr);
}

/// Null for what was not reached, such as the kernel of an unscheduled product.
static json::Value orNull(const std::string &text) {
  return text.empty() ? json::Value(nullptr) : json::Value(text);
}

static json::Value toJSON(const WeightBytes &bytes) {
  return json::Object{{"dense", bytes.dense},
                      {"condensed", bytes.condensed},
                      {"packed", bytes.packed}};
}

static json::Value toJSON(const ProductReport &product, const Report &report) {
  const KernelReport *kernel = report.findKernel(product.kernel);
  return json::Object{
      {"raised", true},
      {"location", product.location},
      {"function", product.function},
      {"name", product.name},
      {"op", product.op},
      {"pattern", product.pattern},
      {"element_type", product.elementType},
      {"shape", json::Object{{"m", toJSON(product.m)},
                             {"n", product.n},
                             {"k", product.k}}},
      {"a_layout", product.aLayout},
      {"c_layout", product.cLayout},
      {"schedule", orNull(product.schedule)},
      {"reason", orNull(product.reason)},
      {"kernel", orNull(product.kernel)},
      {"shared_memory_bytes",
       toJSON(kernel ? kernel->sharedMemoryBytes : std::nullopt)},
      {"weight_bytes", toJSON(product.bytes)}};
}

static json::Value toJSON(const CandidateReport &candidate) {
  return json::Object{{"raised", false},
                      {"location", candidate.location},
                      {"function", candidate.function},
                      {"op", candidate.op},
                      {"reason", candidate.reason}};
}

static json::Value toJSON(const KernelReport &kernel, const Report &report) {
  json::Array grid, block;
  for (unsigned i = 0; i < 3; ++i) {
    grid.push_back(toJSON(kernel.grid[i]));
    block.push_back(toJSON(kernel.block[i]));
  }
  bool isProduct = llvm::any_of(report.products, [&](const ProductReport &p) {
    return p.kernel == kernel.name;
  });
  json::Object object{
      {"name", kernel.name},
      {"product", isProduct},
      {"grid", std::move(grid)},
      {"block", std::move(block)},
      {"shared_memory_bytes", toJSON(kernel.sharedMemoryBytes)}};
  if (kernel.registers) {
    object["registers"] = *kernel.registers;
    object["spill_bytes"] = toJSON(kernel.spillBytes);
  }
  return object;
}

json::Value nm::toJSON(const Report &report) {
  json::Array products, kernels;
  for (const ProductReport &product : report.products)
    products.push_back(::toJSON(product, report));
  for (const CandidateReport &candidate : report.notRaised)
    products.push_back(::toJSON(candidate));
  for (const KernelReport &kernel : report.kernels)
    kernels.push_back(::toJSON(kernel, report));
  json::Object totals{{"raised", int64_t(report.products.size())},
                      {"not_raised", int64_t(report.notRaised.size())},
                      {"kernels", int64_t(report.kernels.size())},
                      {"weight_bytes", ::toJSON(report.getTotalBytes())}};
  return json::Object{
      {"nm_version", getVersion()},      {"llvm_version", getLLVMVersion()},
      {"input", report.input},           {"chip", report.chip},
      {"products", std::move(products)}, {"kernels", std::move(kernels)},
      {"totals", std::move(totals)}};
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

static void printBytes(const WeightBytes &bytes, llvm::raw_ostream &os) {
  os << bytes.dense << " bytes dense, " << bytes.condensed << " condensed, "
     << bytes.packed << " packed";
}

static void printProduct(const ProductReport &product, const Report &report,
                         llvm::raw_ostream &os) {
  os << "  " << product.name << " (" << product.location << ", function "
     << product.function << ")\n"
     << "    " << product.op << ", " << product.pattern << ", "
     << product.elementType << ", m x n x k = " << toText(product.m) << " x "
     << product.n << " x " << product.k << ", A " << product.aLayout << ", C "
     << product.cLayout << "\n    weight: ";
  printBytes(product.bytes, os);
  os << "\n";
  if (!product.schedule.empty())
    os << "    schedule: " << product.schedule << "\n";
  if (!product.reason.empty())
    os << "    because: " << product.reason << "\n";
  if (const KernelReport *kernel = report.findKernel(product.kernel))
    os << "    kernel: " << kernel->name << ", "
       << toText(kernel->sharedMemoryBytes) << " bytes of shared memory\n";
}

static void printKernels(const Report &report, llvm::raw_ostream &os) {
  bool isAssembled = llvm::any_of(report.kernels, [](const KernelReport &k) {
    return k.registers.has_value();
  });
  std::vector<std::vector<std::string>> rows = {
      {"name", "grid", "block", "shared bytes"}};
  if (isAssembled)
    rows.front().insert(rows.front().end(), {"registers", "spilled bytes"});
  for (const KernelReport &kernel : report.kernels) {
    rows.push_back({kernel.name, toText(kernel.grid), toText(kernel.block),
                    toText(kernel.sharedMemoryBytes)});
    if (isAssembled)
      rows.back().insert(rows.back().end(),
                         {toText(kernel.registers), toText(kernel.spillBytes)});
  }
  printColumns(rows, os);
}

void nm::printTable(const Report &report, llvm::raw_ostream &os) {
  os << report.input << " for " << report.chip << " (nm " << getVersion()
     << ", LLVM " << getLLVMVersion() << ")\n";
  os << "raised: " << report.products.size() << "\n";
  for (const ProductReport &product : report.products)
    printProduct(product, report, os);
  os << "not raised: " << report.notRaised.size() << "\n";
  for (const CandidateReport &candidate : report.notRaised)
    os << "  " << candidate.op << " (" << candidate.location << ", function "
       << candidate.function << ")\n    because: " << candidate.reason << "\n";
  os << "kernels: " << report.kernels.size() << "\n";
  if (!report.kernels.empty())
    printKernels(report, os);
  os << "weights raised: ";
  printBytes(report.getTotalBytes(), os);
  os << "\n";
}
