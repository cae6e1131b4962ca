//===- Report.h - What was done with each product ---------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The report of nm-compile and nm-run as data, and its two forms. Sizes that
// are not known before run time are empty.
//
//===----------------------------------------------------------------------===//

#ifndef NM_REPORT_REPORT_H
#define NM_REPORT_REPORT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
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
  uint64_t values = 0;    // of `packed`, the values
  uint64_t padding = 0;   // of `values`, zeros that fill blocks and steps up
  uint64_t indices = 0;   // of `packed`, indices and columns
};

/// A product that is computed as a sparse one.
struct ProductReport {
  std::string location, function;
  std::string name;       // of the layer, or of the weight's data
  std::string weightName; // of the weight's data in the input; empty if unknown
  std::string op;         // "nm.spmm" or "nm.spmv"
  std::string pattern, elementType;
  std::optional<int64_t> m;
  int64_t k = 0, n = 0;
  std::string aLayout, cLayout;
  bool scheduled = false; // whether `schedule` was given before
  std::string schedule, reason;
  /// Which blocks share a tile, such as "3 blocks of a cluster"; empty where
  /// none do.
  std::string sharedBy;
  std::vector<std::string> fused; // what the kernel does after the sums
  /// What the launch is called, and its kernel, which equal layers share.
  std::string launch, kernel;
  /// What computes the product for few rows, in ascending order: products of
  /// which each has `mostRows`.
  std::vector<ProductReport> variants;
  std::optional<int64_t> mostRows;
  /// The names of the products that one launch computes together, this one
  /// among them; empty where it is computed alone.
  std::vector<std::string> together;
  WeightBytes bytes;
  /// Numbers of the stored weight, of its packed form and of the values of
  /// that: products with the same one share it.
  unsigned weight = 0, packedWeight = 0, packedValues = 0;
};

/// A product with a constant that was left as it was.
struct CandidateReport {
  std::string location, function, name, weightName, op, reason;
  /// What its constants have in spite of it; empty if they are dense.
  std::string pattern;
  /// Where the op has them; of the sizes some may be known at run time only.
  std::optional<int64_t> m, n, k;
  std::optional<uint64_t> denseBytes;
};

/// What is not the same for all launches of a kernel is empty, too.
struct KernelReport {
  std::string name;
  std::vector<std::string> launches; // by name, in the order of the module
  std::array<std::optional<int64_t>, 3> grid, block;
  std::optional<int64_t> sharedMemoryBytes;
  /// How many bytes the arrays have that a launch reads and writes. An array
  /// counts once.
  std::optional<int64_t> bytes;
  /// The layers whose launches call it, in their order.
  std::vector<std::string> layers;
  /// From ptxas, when it ran.
  std::optional<int64_t> registers, spillBytes;
};

/// A number that the host reads from the device in the middle of a call, which
/// waits for the kernels that make it.
struct HostReadReport {
  std::string location, function;
  std::string type; // of the number
};

/// Bytes of device memory, where types say them.
struct MemoryReport {
  std::optional<uint64_t> arguments, constants;
  /// Temporaries and results that are allocated at the same time, at most.
  std::optional<uint64_t> buffers;

  /// All of the above: nothing when one depends on the run.
  std::optional<uint64_t> getLiveMaximum() const;
};

/// The memory that a call of `function`, on buffers and with deallocations,
/// needs.
MemoryReport planMemory(mlir::func::FuncOp function);

/// Device memory of a run, in bytes.
struct MeasuredMemory {
  uint64_t peak = 0; // taken from the device at most
  uint64_t liveMaximum =
      0; // of the sizes of buffers between first and last use
  uint64_t constants = 0;
};

/// The launches of one kernel in a run.
struct KernelTime {
  std::string name;
  uint64_t launches = 0;
  double milliseconds = 0; // all of them
  /// How many bytes all launches read and write.
  std::optional<int64_t> bytes;
  /// How many milliseconds the chip's memory needs for these bytes at least.
  std::optional<double> floorMilliseconds;
};

/// What nm-run did.
struct RunFacts {
  std::string device, function;
  /// Types, such as "?x64xf32".
  std::vector<std::string> arguments, results;
  bool hasRandomInputs = false;
  double compileMilliseconds = 0;
  /// One a call, copies to and from the device included.
  std::vector<double> callMilliseconds;
  /// In the order of first launch; none on the CPU.
  std::vector<KernelTime> kernels;
};

struct Report {
  std::string version, llvmVersion, input, chip;
  /// The JSON of a program's compilation, to which a run adds what it measured;
  /// "" where this report has the compilation itself.
  std::string compiled;
  /// Matrices of the input by name, in its order: resources of two dimensions
  /// or more.
  std::vector<std::string> constants;
  std::vector<ProductReport> products;
  std::vector<CandidateReport> notRaised;
  std::vector<KernelReport> kernels;
  std::vector<HostReadReport> hostReads;
  /// By function.
  std::vector<std::pair<std::string, MemoryReport>> memory;
  /// By nm-run.
  std::optional<MeasuredMemory> measured;
  std::optional<RunFacts> run;

  /// Of all weights; one that several products share counts once.
  WeightBytes getTotalBytes() const;
  const KernelReport *findKernel(llvm::StringRef name) const;
};

/// The report as the object that docs/Report.md describes.
llvm::json::Value toJSON(const Report &report);

/// "layers: 2 sparse, 1 dense", and a line more when none is sparse.
void printLayerCounts(const Report &report, llvm::raw_ostream &os);

/// The same for a reader.
void printTable(const Report &report, llvm::raw_ostream &os);

} // namespace nm

#endif // NM_REPORT_REPORT_H
