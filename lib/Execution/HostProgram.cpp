//===- HostProgram.cpp - Code for the CPU in this process -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Execution/HostProgram.h"

#include "HostOptimizer.h"

#include "nm-c/Runtime.h"
#include "nm/Runtime/HostSymbols.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/Shared/ExecutorSymbolDef.h"
#include "llvm/Support/TargetSelect.h"

#include <cstdlib>
#include <cstring>
#include <deque>

using namespace mlir;
using namespace nm;

namespace {

/// A StridedMemRefDescriptor of any rank: allocated pointer, aligned pointer,
/// offset, sizes, strides.
class Descriptor {
public:
  explicit Descriptor(size_t rank) : rank(rank), words(3 + 2 * rank, 0) {}

  /// Describes a row-major array.
  Descriptor(void *memory, ArrayRef<int64_t> shape) : Descriptor(shape.size()) {
    words[0] = words[1] = reinterpret_cast<intptr_t>(memory);
    int64_t stride = 1;
    for (size_t axis = rank; axis-- > 0;) {
      words[3 + axis] = shape[axis];
      words[3 + rank + axis] = stride;
      stride *= std::max<int64_t>(shape[axis], 1);
    }
  }

  void *data() { return words.data(); }
  void *allocated() const { return reinterpret_cast<void *>(words[0]); }
  char *aligned() const { return reinterpret_cast<char *>(words[1]); }
  int64_t offset() const { return words[2]; }
  std::vector<int64_t> shape() const {
    return std::vector<int64_t>(words.begin() + 3, words.begin() + 3 + rank);
  }
  int64_t stride(size_t axis) const { return words[3 + rank + axis]; }

private:
  size_t rank;
  std::vector<int64_t> words;
};

/// The arguments and results of one call.
class Frame {
public:
  Frame() = default;
  Frame(const Frame &) = delete;
  ~Frame();

  void addResult(const ValueType &type);
  void addArgument(const ValueType &type, const Tensor &input);
  /// To be called after a call that succeeded: the results are ours to free.
  void ownResults(ArrayRef<ValueType> types);
  llvm::Expected<Tensor> readResult(const ValueType &type, size_t index);

  /// What the packed function takes: the addresses of the C function's
  /// arguments, then that of its status.
  std::vector<void *> pack(int32_t &status);

private:
  /// Code for the CPU has a context as its first argument, but no use for it.
  nmrtContext *context = nullptr;
  /// Stable addresses: descriptors and scalars are pointed to.
  std::deque<Descriptor> descriptors;
  std::deque<Tensor> scalars;
  std::deque<Tensor> arrays;
  std::vector<void *> owned;
  /// The values of the C function's arguments after the context. For scalar
  /// arguments, `packed` points at the scalar itself.
  std::deque<void *> pointers;
  std::vector<void *> packed;
  std::vector<size_t> resultPlaces;
};

} // namespace

void Frame::addResult(const ValueType &type) {
  if (type.isScalar) {
    resultPlaces.push_back(scalars.size());
    scalars.push_back(makeTensor(type.element, {}));
    pointers.push_back(scalars.back().data.data());
  } else {
    resultPlaces.push_back(descriptors.size());
    descriptors.emplace_back(type.shape.size());
    pointers.push_back(descriptors.back().data());
  }
  packed.push_back(static_cast<void *>(&pointers.back()));
}

void Frame::addArgument(const ValueType &type, const Tensor &input) {
  if (type.isScalar) {
    scalars.push_back(input);
    packed.push_back(scalars.back().data.data());
    return;
  }
  // A copy, for the function may write to it.
  arrays.push_back(input);
  descriptors.emplace_back(arrays.back().data.data(), input.shape);
  pointers.push_back(descriptors.back().data());
  packed.push_back(static_cast<void *>(&pointers.back()));
}

std::vector<void *> Frame::pack(int32_t &status) {
  std::vector<void *> arguments{static_cast<void *>(&context)};
  arguments.insert(arguments.end(), packed.begin(), packed.end());
  arguments.push_back(&status);
  return arguments;
}

Frame::~Frame() {
  for (void *pointer : owned)
    std::free(pointer);
}

void Frame::ownResults(ArrayRef<ValueType> types) {
  for (auto [type, place] : llvm::zip(types, resultPlaces))
    if (!type.isScalar)
      owned.push_back(descriptors[place].allocated());
}

/// Copies the elements of a strided array to a row-major one.
static void gather(const Descriptor &descriptor, const char *source,
                   Tensor &result) {
  int64_t bytes = sizeOf(result.type);
  std::vector<int64_t> index(result.shape.size(), 0);
  for (int64_t i = 0, e = result.size(); i < e; ++i) {
    int64_t place = 0;
    for (size_t axis = 0; axis < index.size(); ++axis)
      place += index[axis] * descriptor.stride(axis);
    std::memcpy(result.data.data() + i * bytes, source + place * bytes, bytes);
    for (size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < result.shape[axis])
        break;
      index[axis] = 0;
    }
  }
}

llvm::Expected<Tensor> Frame::readResult(const ValueType &type, size_t index) {
  if (type.isScalar)
    return scalars[resultPlaces[index]];
  const Descriptor &descriptor = descriptors[resultPlaces[index]];
  std::vector<int64_t> shape = descriptor.shape();
  bool fits = true;
  for (auto [actual, declared] : llvm::zip(shape, type.shape))
    fits &= actual >= 0 && (declared < 0 || actual == declared);
  int64_t bytes = sizeOf(type.element);
  if (!fits || !countElements(shape, bytes))
    return llvm::createStringError("expected result #" + llvm::Twine(index) +
                                   " to be " + type.str() + ", got " +
                                   toString(shape, type.element));
  if (*countElements(shape, bytes) == 0)
    return makeTensor(type.element, shape);
  Tensor result;
  try {
    result = makeTensor(type.element, shape);
  } catch (const std::bad_alloc &) {
    return llvm::createStringError(
        "no host memory for result #" + llvm::Twine(index) + ", " +
        toString(shape, type.element) + " of " +
        llvm::Twine(*countElements(shape, bytes)) + " bytes");
  }
  gather(descriptor, descriptor.aligned() + descriptor.offset() * bytes,
         result);
  return result;
}

HostProgram::HostProgram(std::unique_ptr<ExecutionEngine> engine,
                         Signature signature, void (*entry)(void **))
    : engine(std::move(engine)), signature(std::move(signature)), entry(entry) {
}
HostProgram::~HostProgram() = default;

/// The runtime's functions, which the JIT cannot find by name.
static llvm::orc::SymbolMap getSymbols(llvm::orc::MangleAndInterner mangle) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](const char *name, void *address) {
    symbols[mangle(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                             llvm::JITSymbolFlags::Exported};
  };
  size_t count = 0;
  const runtime::HostSymbol *table = runtime::hostSymbols(count);
  for (const runtime::HostSymbol &symbol : llvm::ArrayRef(table, count))
    add(symbol.name, symbol.address);
  return symbols;
}

llvm::Expected<std::unique_ptr<HostProgram>>
HostProgram::create(ModuleOp module, Signature signature, unsigned optLevel) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  registerBuiltinDialectTranslation(*module->getContext());
  registerLLVMDialectTranslation(*module->getContext());

  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  auto machine = builder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  ExecutionEngineOptions options;
  // The options only refer to it.
  auto optimize = optLevel == 0
                      ? makeOptimizingTransformer(0, 0, machine->get())
                      : makeHostOptimizer(machine->get());
  options.transformer = optimize;
  options.jitCodeGenOptLevel = optLevel == 0 ? llvm::CodeGenOptLevel::None
                                             : llvm::CodeGenOptLevel::Default;
  auto engine = ExecutionEngine::create(module, options);
  if (!engine)
    return engine.takeError();
  (*engine)->registerSymbols(getSymbols);
  (*engine)->initialize();
  // The JIT compiles when a function is first asked for.
  auto entry = (*engine)->lookupPacked("_mlir_ciface_" + signature.name);
  if (!entry)
    return entry.takeError();
  return std::unique_ptr<HostProgram>(
      new HostProgram(std::move(*engine), std::move(signature), *entry));
}

llvm::Expected<std::vector<Tensor>> HostProgram::call(ArrayRef<Tensor> inputs) {
  Frame frame;
  for (const ValueType &type : signature.results)
    frame.addResult(type);
  for (auto [type, input] : llvm::zip_equal(signature.arguments, inputs))
    frame.addArgument(type, input);

  int32_t status = NMRT_OK;
  std::vector<void *> arguments = frame.pack(status);
  entry(arguments.data());
  if (status != NMRT_OK)
    return llvm::createStringError(
        "`" + signature.name + "` failed with status " + llvm::Twine(status) +
        ": " + nmrtLastError());
  frame.ownResults(signature.results);
  std::vector<Tensor> results;
  for (auto [index, type] : llvm::enumerate(signature.results)) {
    auto result = frame.readResult(type, index);
    if (!result)
      return result.takeError();
    results.push_back(std::move(*result));
  }
  return results;
}
