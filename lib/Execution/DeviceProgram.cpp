//===- DeviceProgram.cpp - A program called with host arrays --------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Execution/DeviceProgram.h"

#include "nm/VM/EntryCall.h"

#include <deque>

using namespace nm;
using runtime::Context;
using runtime::Status;

static llvm::Error toError(const llvm::Twine &what, const Status &status) {
  return llvm::createStringError(what + ": " + status.message);
}

namespace {

/// The arrays of one call, which are freed with it.
class CallFrame {
public:
  CallFrame(Context &context, const program::Entry &entry)
      : context(context), entry(entry) {}
  CallFrame(const CallFrame &) = delete;
  ~CallFrame() {
    for (void *memory : owned)
      (void)context.free(memory);
  }

  llvm::Error addArgument(const ValueType &type, const Tensor &input);
  /// Places for results, whose extents are not known yet.
  void addResult(const ValueType &type);
  /// Memory for the results that the call does not allocate, and the workspace.
  llvm::Error allocate(uint64_t workspaceBytes);
  /// To be called after a call that succeeded: what it allocated is ours.
  void ownResults();
  llvm::Expected<Tensor> readResult(size_t index);

  std::vector<nmArray> arguments, results;
  void *workspace = nullptr;

private:
  llvm::Error allocate(uint64_t bytes, const std::string &what, void *&memory);
  bool isGiven(size_t index) const {
    return !entry.results[index].type.isScalar &&
           entry.results[index].place == program::ResultPlace::Given;
  }

  Context &context;
  const program::Entry &entry;
  std::vector<void *> owned;
  /// Stable addresses.
  std::deque<std::vector<int64_t>> extents;
  std::deque<Tensor> numbers;
};

} // namespace

llvm::Error CallFrame::allocate(uint64_t bytes, const std::string &what,
                                void *&memory) {
  Status status = context.allocate(bytes, &memory, what.c_str());
  if (status.failed())
    return toError("`" + entry.name + "` failed with status " +
                       llvm::Twine(status.code),
                   status);
  owned.push_back(memory);
  return llvm::Error::success();
}

llvm::Error CallFrame::addArgument(const ValueType &type, const Tensor &input) {
  std::vector<int64_t> &shape = extents.emplace_back(input.shape);
  nmArray array = {nullptr, vm::getElementType(type.element),
                   static_cast<int32_t>(shape.size()), shape.data(), nullptr};
  if (type.isScalar) {
    array.data = numbers.emplace_back(input).data.data();
    arguments.push_back(array);
    return llvm::Error::success();
  }
  std::string what =
      "argument #" + std::to_string(arguments.size()) + ", " + type.str();
  if (llvm::Error error = allocate(input.data.size(), what, array.data))
    return error;
  Status status =
      context.upload(array.data, input.data.data(), input.data.size());
  if (status.failed())
    return toError("cannot upload an argument", status);
  arguments.push_back(array);
  return llvm::Error::success();
}

void CallFrame::addResult(const ValueType &type) {
  std::vector<int64_t> &shape = extents.emplace_back(type.shape.size(), 0);
  nmArray array = {nullptr, vm::getElementType(type.element),
                   static_cast<int32_t>(shape.size()), shape.data(), nullptr};
  if (type.isScalar)
    array.data = numbers.emplace_back(makeTensor(type.element, {})).data.data();
  results.push_back(array);
}

llvm::Error CallFrame::allocate(uint64_t workspaceBytes) {
  for (size_t i = 0; i < results.size(); ++i) {
    if (!isGiven(i))
      continue;
    const ValueType &type = entry.results[i].type;
    std::vector<int64_t> shape(results[i].extents,
                               results[i].extents + results[i].rank);
    std::optional<int64_t> bytes = countElements(shape, sizeOf(type.element));
    std::string what =
        "result #" + std::to_string(i) + ", " + toString(shape, type.element);
    if (llvm::Error error =
            allocate(bytes ? *bytes : UINT64_MAX, what, results[i].data))
      return error;
  }
  return allocate(workspaceBytes, "the workspace of `" + entry.name + "`",
                  workspace);
}

void CallFrame::ownResults() {
  for (size_t i = 0; i < results.size(); ++i)
    if (!isGiven(i) && !entry.results[i].type.isScalar)
      owned.push_back(results[i].data);
}

llvm::Expected<Tensor> CallFrame::readResult(size_t index) {
  const ValueType &type = entry.results[index].type;
  const nmArray &array = results[index];
  std::vector<int64_t> shape(array.extents, array.extents + array.rank);
  Tensor result;
  try {
    result = makeTensor(type.element, shape);
  } catch (const std::bad_alloc &) {
    return llvm::createStringError("no host memory for result #" +
                                   llvm::Twine(index) + ", " +
                                   toString(shape, type.element));
  }
  if (type.isScalar) {
    std::copy_n(static_cast<const uint8_t *>(array.data), result.data.size(),
                result.data.begin());
    return result;
  }
  Status status =
      context.download(result.data.data(), array.data, result.data.size());
  if (status.failed())
    return toError("cannot download a result", status);
  return result;
}

llvm::Expected<std::unique_ptr<DeviceProgram>>
DeviceProgram::create(std::shared_ptr<const program::File> file,
                      size_t function, Context &context) {
  std::unique_ptr<vm::PreparedProgram> prepared;
  Status status =
      vm::PreparedProgram::create(std::move(file), context, prepared);
  if (status.failed())
    return toError("cannot prepare the program", status);
  return std::unique_ptr<DeviceProgram>(
      new DeviceProgram(std::move(prepared), function));
}

llvm::Expected<std::vector<Tensor>>
DeviceProgram::call(llvm::ArrayRef<Tensor> inputs) {
  const program::Program &program = prepared->getProgram();
  const program::Entry &entry = program.entries[function];
  Context &context = prepared->getContext();
  auto fail = [&](const Status &status) {
    return toError("`" + entry.name + "` failed with status " +
                       llvm::Twine(status.code),
                   status);
  };
  CallFrame frame(context, entry);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (llvm::Error error = frame.addArgument(entry.arguments[i], inputs[i]))
      return error;
  for (const program::Result &result : entry.results)
    frame.addResult(result.type);

  uint64_t workspaceBytes = 0;
  Status status = vm::plan(program, entry, frame.arguments.data(),
                           frame.results.data(), workspaceBytes);
  if (status.failed())
    return fail(status);
  if (llvm::Error error = frame.allocate(workspaceBytes))
    return error;
  nmCall call = {static_cast<uint32_t>(function),
                 /*stream=*/nullptr,
                 frame.arguments.data(),
                 frame.results.data(),
                 frame.workspace,
                 workspaceBytes};
  status = vm::run(*prepared, entry, call);
  if (!status.failed()) {
    frame.ownResults();
    status = context.synchronize();
  }
  if (status.failed())
    return fail(status);
  std::vector<Tensor> results;
  for (size_t i = 0; i < entry.results.size(); ++i) {
    auto result = frame.readResult(i);
    if (!result)
      return result.takeError();
    results.push_back(std::move(*result));
  }
  return results;
}
