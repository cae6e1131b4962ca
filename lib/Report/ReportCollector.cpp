//===- ReportCollector.cpp - Fills the report between stages --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Report/ReportCollector.h"
#include "ReportTexts.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Remarks.h"
#include "nm/Dialect/NM/Utils/KernelNames.h"
#include "nm/Support/LaunchSizes.h"
#include "nm/Support/Locations.h"
#include "nm/Support/Remarks.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// The sizes of a contraction that stays dense: those of its loops.
static void setSizes(CandidateReport &entry, linalg::LinalgOp op) {
  auto dims = linalg::inferContractionDims(op);
  if (failed(dims))
    return;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  using Size = std::optional<int64_t>;
  auto multiply = [&](ArrayRef<unsigned> loops, Size size) -> Size {
    for (unsigned loop : loops) {
      if (!size || ShapedType::isDynamic(extents[loop]))
        return std::nullopt;
      size = llvm::SaturatingMultiply<uint64_t>(*size, extents[loop]);
    }
    return size;
  };
  entry.m = multiply(dims->batch, multiply(dims->m, 1));
  entry.n = multiply(dims->n, 1);
  entry.k = multiply(dims->k, 1);
  if (entry.n && entry.k)
    entry.denseBytes =
        getBytes({*entry.n, *entry.k},
                 getElementTypeOrSelf(op.getDpsInputOperand(0)->get()));
}

void ReportCollector::collectCandidates(ModuleOp module) {
  // Remarks came in the order of the ops. Several ops may be at one place: a
  // line of the model's source serves all layers.
  llvm::BitVector isSized(report.notRaised.size());
  module.walk([&](linalg::LinalgOp op) {
    if (!linalg::isaContractionOpInterface(op))
      return;
    std::string location = getPlace(op.getLoc());
    for (auto [i, entry] : llvm::enumerate(report.notRaised))
      if (!isSized[i] && entry.location == location &&
          entry.name == getLayerName(op.getLoc()) &&
          entry.op == op->getName().getStringRef()) {
        setSizes(entry, op);
        isSized.set(i);
        return;
      }
  });
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static std::array<std::optional<int64_t>, 3>
getExtents(gpu::KernelDim3 extents) {
  return {getConstantIntValue(extents.x), getConstantIntValue(extents.y),
          getConstantIntValue(extents.z)};
}

static KernelReport describe(gpu::LaunchFuncOp launch) {
  KernelReport kernel;
  kernel.name = launch.getKernelName().str();
  kernel.grid = getExtents(launch.getGridSizeOperandValues());
  kernel.block = getExtents(launch.getBlockSizeOperandValues());
  kernel.sharedMemoryBytes = countSharedBytes(launch);
  if (auto bytes = launch->getAttrOfType<IntegerAttr>(kBytesAttrName))
    kernel.bytes = bytes.getInt();
  return kernel;
}

/// Keeps of `value` what `other` has, too.
static void intersect(std::optional<int64_t> &value,
                      const std::optional<int64_t> &other) {
  if (value != other)
    value = std::nullopt;
}

/// Adds what a launch says of its kernel.
static void addLaunch(KernelReport &kernel, gpu::LaunchFuncOp launch) {
  KernelReport described = describe(launch);
  for (unsigned axis = 0; axis < 3; ++axis) {
    intersect(kernel.grid[axis], described.grid[axis]);
    intersect(kernel.block[axis], described.block[axis]);
  }
  intersect(kernel.sharedMemoryBytes, described.sharedMemoryBytes);
  intersect(kernel.bytes, described.bytes);
  kernel.launches.push_back(getLaunchName(launch).str());
  std::string layer = getLayerName(launch.getLoc()).str();
  if (!layer.empty() && !llvm::is_contained(kernel.layers, layer))
    kernel.layers.push_back(layer);
}

void ReportCollector::collectKernels(ModuleOp module) {
  llvm::StringMap<size_t> numbers;      // of kernels, by name
  llvm::StringMap<std::string> kernels; // of launches, by name
  module.walk([&](gpu::LaunchFuncOp launch) {
    StringRef name = launch.getKernelName().getValue();
    auto [place, isNew] = numbers.try_emplace(name, report.kernels.size());
    if (isNew)
      report.kernels.push_back(describe(launch));
    KernelReport &kernel = report.kernels[place->second];
    addLaunch(kernel, launch);
    kernels[kernel.launches.back()] = kernel.name;
  });
  auto setKernel = [&](ProductReport &product) {
    if (auto found = kernels.find(product.launch); found != kernels.end())
      product.kernel = found->second;
  };
  for (ProductReport &product : report.products) {
    setKernel(product);
    llvm::for_each(product.variants, setKernel);
  }
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    report.memory.emplace_back(function.getName().str(), planMemory(function));
    function.walk([&](memref::LoadOp load) {
      report.hostReads.push_back({getPlace(load.getLoc()),
                                  function.getName().str(),
                                  toText(load.getType())});
    });
  }
}

void ReportCollector::addResources(StringRef name, int64_t registers,
                                   int64_t spillBytes) {
  for (KernelReport &kernel : report.kernels)
    if (kernel.name == name) {
      kernel.registers = registers;
      kernel.spillBytes = spillBytes;
    }
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

/// Takes what the report needs of the remarks and drops the others.
class ReportCollector::Listener
    : public remark::detail::MLIRRemarkStreamerBase {
public:
  Listener(Report &report, std::shared_ptr<std::vector<std::string>> reasons)
      : report(report), reasons(std::move(reasons)) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    std::optional<RemarkId> id = findRemark(remark);
    if (id == RemarkId::NotRaised)
      addCandidate(remark);
    else if (id == RemarkId::ScheduleSelected)
      reasons->push_back(findEntry(remark, RemarkKey::Reason).str());
  }

private:
  void addCandidate(const remark::detail::Remark &remark) {
    CandidateReport &entry = report.notRaised.emplace_back();
    entry.location = getPlace(remark.getLocation());
    entry.function = remark.getFunction().str();
    entry.name = getLayerName(remark.getLocation()).str();
    entry.weightName = findEntry(remark, RemarkKey::Constant);
    entry.op = findEntry(remark, RemarkKey::Op);
    entry.reason = findEntry(remark, RemarkKey::Reason);
    entry.pattern = findEntry(remark, RemarkKey::Pattern);
  }

  Report &report;
  std::shared_ptr<std::vector<std::string>> reasons;
};

ReportCollector::ReportCollector(MLIRContext &context, Report &report)
    : report(report), reasons(std::make_shared<std::vector<std::string>>()) {
  remark::RemarkCategories categories;
  categories.missed = getCategory(RemarkId::NotRaised).str();
  categories.passed = getCategory(RemarkId::ScheduleSelected).str();
  // Only fails for a streamer that cannot open its file.
  (void)remark::enableOptimizationRemarks(
      context, std::make_unique<Listener>(report, reasons),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}

ReportCollector::~ReportCollector() = default;

void ReportCollector::afterStage(StringRef stage, ModuleOp module) {
  if (stage == "import")
    collectCandidates(module);
  // Fusion may move a product behind another, its gate.
  if (stage == "import" || stage == "fuse")
    collectProducts(module);
  else if (stage == "plan")
    collectSchedules(module);
  else if (stage == "tile")
    collectProductKernels(module);
  else if (stage == "map-to-threads")
    collectFusedLaunches(module);
  else if (stage == "outline")
    collectKernels(module);
}
