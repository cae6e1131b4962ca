//===- CompiledKernel.cpp - A module of one product as PTX ----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompiledKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "nm/Dialect/NM/IR/BufferizableOpInterfaceImpl.h"
#include "nm/Dialect/NM/IR/NMDialect.h"
#include "nm/Dialect/NM/IR/NMOps.h"
#include "nm/Dialect/NM/IR/TensorMaps.h"
#include "nm/Dialect/NM/KernelPlan/KernelPlan.h"
#include "nm/Dialect/NM/Map/KindLowering.h"
#include "nm/Pipelines/Pipelines.h"
#include "nm/Pipelines/Stages.h"
#include "nm/Support/RawElements.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace nm;
using namespace nm::numeric;

std::unique_ptr<MLIRContext> nm::numeric::makeContext() {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registry.insert<NMDialect>();
  registerBufferizableOpInterfaceExternalModels(registry);
  registerKindLowerings(registry);
  // Cases run in processes of their own.
  return std::make_unique<MLIRContext>(registry,
                                       MLIRContext::Threading::DISABLED);
}

namespace {
/// Reads the launches of a module.
class LaunchReader {
public:
  LaunchReader(ModuleOp module, std::string &error)
      : module(module), error(error) {}

  std::optional<CompiledKernel> read() {
    SmallVector<gpu::LaunchFuncOp> launches;
    SmallVector<gpu::BinaryOp> binaries;
    module.walk([&](gpu::LaunchFuncOp op) { launches.push_back(op); });
    module.walk([&](gpu::BinaryOp op) { binaries.push_back(op); });
    if (launches.empty() || binaries.size() != 1)
      return fail("expected launches and one binary, got " +
                  std::to_string(launches.size()) + " and " +
                  std::to_string(binaries.size()));
    auto object = cast<gpu::ObjectAttr>(binaries.front().getObjects()[0]);
    kernel.ptx = object.getObject().getValue().str();
    for (gpu::LaunchFuncOp launch : launches) {
      CompiledLaunch &read = kernel.launches.emplace_back();
      read.name = launch.getKernelName().str();
      if (!readConfig(launch, read.config))
        return fail("expected a launch of constant size");
      for (Value operand : launch.getKernelOperands())
        if (!readOperand(operand, read))
          return fail("expected operands that are buffers or constants");
    }
    auto result = launches.front()->getParentOfType<func::FuncOp>();
    for (auto op : result.getOps<func::ReturnOp>())
      if (auto buffer = findBuffer(op.getOperand(0)))
        kernel.buffers[*buffer].isResult = true;
    return std::move(kernel);
  }

private:
  std::nullopt_t fail(const std::string &what) {
    error = what;
    return std::nullopt;
  }

  bool readConfig(gpu::LaunchFuncOp launch, emulator::LaunchConfig &config) {
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    Value grids[] = {grid.x, grid.y, grid.z};
    Value blocks[] = {block.x, block.y, block.z};
    for (int i = 0; i < 3; ++i) {
      auto blockCount = getConstantIntValue(grids[i]);
      auto threads = getConstantIntValue(blocks[i]);
      if (!blockCount || !threads)
        return false;
      config.grid[i] = *blockCount;
      config.block[i] = *threads;
    }
    if (launch.hasClusterSize()) {
      gpu::KernelDim3 cluster = launch.getClusterSizeOperandValues();
      Value extents[] = {cluster.x, cluster.y, cluster.z};
      for (auto [extent, value] : llvm::zip(config.cluster, extents)) {
        auto constant = getConstantIntValue(value);
        if (!constant)
          return false;
        extent = *constant;
      }
    }
    if (Value bytes = launch.getDynamicSharedMemorySize()) {
      auto constant = getConstantIntValue(bytes);
      if (!constant)
        return false;
      config.dynamicSharedBytes = *constant;
    }
    return true;
  }

  bool readOperand(Value operand, CompiledLaunch &launch) {
    LaunchOperand result;
    if (auto map = operand.getDefiningOp<TensorMapOp>()) {
      result.map = readMap(map);
      result.buffer = findBuffer(map.getSource());
      if (!result.map || !result.buffer)
        return false;
    } else if (auto type = dyn_cast<MemRefType>(operand.getType())) {
      auto [strides, offset] = type.getStridesAndOffset();
      if (!type.hasStaticShape() || offset != 0)
        return false;
      result.sizes.assign(type.getShape().begin(), type.getShape().end());
      result.strides.assign(strides.begin(), strides.end());
      result.buffer = findBuffer(operand);
      if (!result.buffer)
        return false;
    } else if (auto constant = getConstantIntValue(operand)) {
      result.number = *constant;
    } else {
      return false;
    }
    launch.operands.push_back(result);
    return true;
  }

  /// What `map` describes of a buffer of static shape, from its start on.
  static std::optional<emulator::TensorMap> readMap(TensorMapOp map) {
    auto type = cast<MemRefType>(map.getSource().getType());
    auto [strides, offset] = type.getStridesAndOffset();
    if (!type.hasStaticShape() || offset != 0)
      return std::nullopt;
    emulator::TensorMap read;
    read.rank = type.getRank();
    read.elementType = int32_t(*getTensorMapElement(type.getElementType()));
    read.swizzle =
        map.getSwizzle() == 0
            ? 0
            : int32_t(llvm::Log2_64(map.getSwizzle() / kTensorMapUnit));
    int64_t element = type.getElementTypeBitWidth() / 8;
    for (uint32_t i = 0; i < read.rank; ++i) {
      // From the innermost dimension on, which has no stride.
      int64_t dim = read.rank - 1 - i;
      read.extents[i] = type.getDimSize(dim);
      read.box[i] = map.getBox()[dim];
      if (i != 0)
        read.strides[i - 1] = strides[dim] * element;
    }
    return read;
  }

  /// The buffer that `value` is a view of, from its start on.
  std::optional<size_t> findBuffer(Value value) {
    while (Operation *op = value.getDefiningOp()) {
      if (auto parts = dyn_cast<memref::ExtractStridedMetadataOp>(op))
        value = parts.getSource();
      else if (auto view = dyn_cast<ViewLikeOpInterface>(op))
        value = view.getViewSource();
      else
        break;
    }
    for (auto [i, known] : llvm::enumerate(roots))
      if (known == value || isSameGlobal(known, value))
        return i;
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type || !type.hasStaticShape())
      return std::nullopt;
    HostBuffer buffer;
    buffer.bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      buffer.argument = argument.getArgNumber();
    } else if (auto global = value.getDefiningOp<memref::GetGlobalOp>()) {
      auto symbol = module.lookupSymbol<memref::GlobalOp>(global.getName());
      auto elements = dyn_cast_or_null<ElementsAttr>(
          symbol.getInitialValue().value_or(Attribute()));
      if (!elements)
        return std::nullopt;
      FailureOr<RawElements> data = RawElements::get(elements, ignoreReason);
      if (failed(data))
        return std::nullopt;
      std::vector<char> bytes = data->copy();
      buffer.data.assign(bytes.begin(), bytes.end());
    } else if (!value.getDefiningOp<memref::AllocOp>()) {
      return std::nullopt;
    }
    roots.push_back(value);
    kernel.buffers.push_back(std::move(buffer));
    return roots.size() - 1;
  }

  static bool isSameGlobal(Value a, Value b) {
    auto first = a.getDefiningOp<memref::GetGlobalOp>();
    auto second = b.getDefiningOp<memref::GetGlobalOp>();
    return first && second && first.getName() == second.getName();
  }

  ModuleOp module;
  std::string &error;
  CompiledKernel kernel;
  SmallVector<Value> roots; // of kernel.buffers
};
} // namespace

/// Whether plans know the kernel of `op`. Of other schedules passes leave out
/// what a chip does not have, or a product of one step has no use for; a weight
/// that cannot be packed has another form than is planned.
static bool isPlanned(ProductOpInterface op) {
  ScheduleAttr schedule = op.getScheduleAttr();
  return op.getWeightType().getPacking() &&
         schedule.getEngine() == CopyEngine::CpAsync &&
         schedule.getProducers() == 0 && schedule.getPersistent() == 0 &&
         schedule.getStreamK() == 0 && !schedule.getPacked();
}

/// The plan of the product of `module`, if there is one that is planned.
static std::optional<KernelBlock> readPlan(ModuleOp module,
                                           const PipelineOptions &options) {
  SmallVector<ProductOpInterface> products;
  module.walk([&](ProductOpInterface op) { products.push_back(op); });
  if (products.size() != 1 || !isPlanned(products.front()))
    return std::nullopt;
  ProductOpInterface op = products.front();
  KernelPlan plan =
      KernelPlan::get(op.getScheduleAttr(), op.getWeightType(),
                      op.getAType().getElementType(), op.isAFeatureMajor(),
                      *lookupTarget(options.get<std::string>(OptionId::Chip)));
  return KernelBlock{plan.getSharedBytes(), plan.threads};
}

/// The blocks of the product's kernel, which is the first with threads for it:
/// others have no shared memory.
static KernelBlock readTiled(ModuleOp module) {
  KernelBlock found;
  module.walk([&](gpu::LaunchOp launch) {
    Value bytes = launch.getDynamicSharedMemorySize();
    if (bytes || found.threads == 0)
      found = {bytes ? *getConstantIntValue(bytes) : 0,
               *getConstantIntValue(launch.getBlockSizeX())};
  });
  return found;
}

std::optional<CompiledKernel>
nm::numeric::compile(MLIRContext &context, const std::string &text,
                     const PipelineOptions &options, std::string &error) {
  error.clear();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      error += diagnostic.str() + "; ";
    return success();
  });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return std::nullopt;
  std::optional<KernelBlock> planned;
  KernelBlock tiled;
  for (const Stage &stage : getStages()) {
    if (failed(runStage(stage, *module, options))) {
      error += "the pipeline failed";
      return std::nullopt;
    }
    if (stage.name == "plan")
      planned = readPlan(*module, options);
    if (stage.name == "map-to-threads")
      tiled = readTiled(*module);
  }
  std::optional<CompiledKernel> kernel = LaunchReader(*module, error).read();
  if (kernel) {
    kernel->planned = planned;
    kernel->tiled = tiled;
  }
  return kernel;
}
