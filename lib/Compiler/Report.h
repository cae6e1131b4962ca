//===- Report.h - What was done with each product ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The report of nm-compile as data, and its two forms. Sizes that are not known
// before run time are empty.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_COMPILER_REPORT_H
#define NM_LIB_COMPILER_REPORT_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nm {

/// Bytes of one weight, or of several.
struct WeightBytes {
  uint64_t dense = 0;     // all k x n elements
  uint64_t condensed = 0; // values and indices as the pattern has them
  uint64_t packed = 0;    // as the kernel reads them; condensed when not packed
};

/// A product that is computed as a sparse one.
struct ProductReport {
  std::string location, function, name;
  std::string op; // "nm.spmm" or "nm.spmv"
  std::string pattern, elementType;
  std::optional<int64_t> m;
  int64_t k = 0, n = 0;
  std::string aLayout, cLayout;
  bool scheduled = false; // whether `schedule` was given before
  std::string schedule, reason;
  std::string kernel;
  WeightBytes bytes;
};

/// A product with a constant that was left as it was.
struct CandidateReport {
  std::string location, function, op, reason;
};

struct KernelReport {
  std::string name;
  std::array<std::optional<int64_t>, 3> grid, block;
  std::optional<int64_t> sharedMemoryBytes;
  /// From ptxas, when it ran.
  std::optional<int64_t> registers, spillBytes;
};

struct Report {
  std::string input, chip;
  std::vector<ProductReport> products;
  std::vector<CandidateReport> notRaised;
  std::vector<KernelReport> kernels;

  WeightBytes getTotalBytes() const;
  const KernelReport *findKernel(llvm::StringRef name) const;
};

/// The report as an object of docs/Pipelines.md.
llvm::json::Value toJSON(const Report &report);

/// The same for a reader.
void printTable(const Report &report, llvm::raw_ostream &os);

} // namespace nm

#endif // NM_LIB_COMPILER_REPORT_H
