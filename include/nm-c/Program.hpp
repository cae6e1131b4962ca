//===- nm-c/Program.hpp - Programs in files, from C++ -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nm-c/Program.h with owners and exceptions; a header alone, C++17. Nothing
// here costs more than the C functions; what they say of threads and streams
// holds.
//
//     nmrt::Context context(NMRT_DEVICE_CUDA);
//     nmrt::Program program("model.nm");       // (model_load) in a library
//     nmrt::Prepared prepared(program, context);
//     nmrt::Memory x(context, bytes);
//     x.upload(host);
//     nmrt::Call call(prepared, {{nmrt::kFloat32, {16, 64}, x}});
//     call.run();                              // as often as needed
//     call.getResult(0).download(host);
//
//===----------------------------------------------------------------------===//

#ifndef NM_C_PROGRAM_HPP
#define NM_C_PROGRAM_HPP

#include "nm-c/Program.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace nmrt {

/// A call that failed: what() is the runtime's text.
class Error : public std::runtime_error {
public:
  Error(nmrtStatus status, const std::string &message)
      : std::runtime_error(message), status(status) {}
  const nmrtStatus status;
};

inline void check(nmrtStatus status) {
  if (status != NMRT_OK)
    throw Error(status, nmrtLastError());
}

/// A device opened for use.
class Context {
public:
  explicit Context(nmrtDeviceKind device, int32_t ordinal = 0) {
    nmrtContextOptions options = {};
    options.apiVersion = NMRT_API_VERSION;
    options.device = device;
    options.deviceOrdinal = ordinal;
    options.emulatorChecks = NMRT_CHECK_ALL;
    nmrtContext *created = nullptr;
    char error[4096];
    nmrtStatus status =
        nmrtContextCreate(&options, &created, error, sizeof(error));
    if (status != NMRT_OK)
      throw Error(status, error);
    handle.reset(created);
  }
  nmrtContext *get() const { return handle.get(); }
  void synchronize() { check(nmrtSynchronize(get())); }

private:
  struct Destroy {
    void operator()(nmrtContext *context) const { nmrtContextDestroy(context); }
  };
  std::unique_ptr<nmrtContext, Destroy> handle;
};

/// Memory of a device, which outlives it.
class Memory {
public:
  Memory() = default;
  Memory(Context &context, uint64_t bytes)
      : context(context.get()), size(bytes) {
    check(nmrtAlloc(this->context, bytes, &address));
  }
  Memory(Memory &&other) noexcept { swap(other); }
  Memory &operator=(Memory &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Memory() {
    if (address)
      (void)nmrtFree(context, address);
  }
  void *data() const { return address; }
  uint64_t bytes() const { return size; }
  void upload(const void *host) {
    check(nmrtUpload(context, address, host, size));
  }
  /// Waits for what was enqueued.
  void download(void *host) const {
    check(nmrtDownload(context, host, address, size));
  }

private:
  void swap(Memory &other) noexcept {
    std::swap(context, other.context);
    std::swap(address, other.address);
    std::swap(size, other.size);
  }
  nmrtContext *context = nullptr;
  void *address = nullptr;
  uint64_t size = 0;
};

/// What nm-compile --emit=program or --emit=lib made.
class Program {
public:
  explicit Program(const std::string &path) {
    nmProgram *loaded = nullptr;
    check(nmProgramLoad(path.c_str(), &loaded));
    handle.reset(loaded);
  }
  /// `load` is that of a library's header.
  explicit Program(nmrtStatus (*load)(nmProgram **)) {
    nmProgram *loaded = nullptr;
    check(load(&loaded));
    handle.reset(loaded);
  }
  nmProgram *get() const { return handle.get(); }
  /// The number of a function; of the only one without a name.
  uint32_t find(const char *name = nullptr) const {
    uint32_t function = 0;
    check(nmProgramFindFunction(get(), name, &function));
    return function;
  }

private:
  struct Release {
    void operator()(nmProgram *program) const { nmProgramRelease(program); }
  };
  std::unique_ptr<nmProgram, Release> handle;
};

/// A program on a device; both outlive it.
class Prepared {
public:
  Prepared(Program &program, Context &context)
      : program(program), context(context) {
    nmPrepared *prepared = nullptr;
    check(nmProgramPrepare(program.get(), context.get(), &prepared));
    handle.reset(prepared);
  }
  nmPrepared *get() const { return handle.get(); }
  Program &getProgram() const { return program; }
  Context &getContext() const { return context; }

private:
  struct Release {
    void operator()(nmPrepared *prepared) const { nmPreparedRelease(prepared); }
  };
  Program &program;
  Context &context;
  std::unique_ptr<nmPrepared, Release> handle;
};

/// Types of elements that C++ has.
inline constexpr nmElementType kFloat32 = {2, 32, 1}, kFloat64 = {2, 64, 1},
                               kInt8 = {0, 8, 1}, kInt32 = {0, 32, 1},
                               kInt64 = {0, 64, 1}, kBool = {6, 8, 1};

/// An argument or a result: row-major, of someone's memory.
class Array {
public:
  Array(nmElementType element, std::vector<int64_t> extents, void *data)
      : element(element), extents(std::move(extents)), address(data) {}
  Array(nmElementType element, std::vector<int64_t> extents,
        const Memory &memory)
      : Array(element, std::move(extents), memory.data()) {}

  const std::vector<int64_t> &getExtents() const { return extents; }
  uint64_t bytes() const {
    uint64_t count = element.bits / 8;
    for (int64_t extent : extents)
      count *= static_cast<uint64_t>(extent);
    return count;
  }
  /// As C has it; refers to this array.
  nmArray get() {
    return {address, element, static_cast<int32_t>(extents.size()),
            extents.data(), nullptr};
  }

private:
  nmElementType element;
  std::vector<int64_t> extents;
  void *address;
};

/// A call of a function whose results are arrays of sizes that its plan says,
/// with memory for them and the workspace, which it keeps for the next one.
class Call {
public:
  Call(Prepared &prepared, std::vector<Array> inputs,
       const char *function = nullptr, void *stream = nullptr)
      : prepared(prepared), inputs(std::move(inputs)) {
    call.function = prepared.getProgram().find(function);
    call.stream = stream;
    describe();
    const nmProgram *program = prepared.getProgram().get();
    check(nmProgramPlan(program, call.function, arguments.data(),
                        results.data(), &call.workspaceBytes));
    for (size_t i = 0; i < results.size(); ++i) {
      memory.emplace_back(prepared.getContext(), outputs[i].bytes());
      results[i].data = memory.back().data();
    }
    workspace = Memory(prepared.getContext(), call.workspaceBytes);
    call.arguments = arguments.data();
    call.results = results.data();
    call.workspace = workspace.data();
  }
  Call(const Call &) = delete;

  /// Enqueues the call.
  void run() { check(nmPreparedRun(prepared.get(), &call)); }
  const Memory &getResult(size_t index) const { return memory.at(index); }
  const std::vector<int64_t> &getExtents(size_t index) const {
    return outputs.at(index).getExtents();
  }

private:
  void describe() {
    const nmProgram *program = prepared.getProgram().get();
    nmFunctionInfo info;
    check(nmProgramGetFunction(program, call.function, &info));
    if (inputs.size() != info.arguments)
      throw Error(NMRT_INVALID_ARGUMENT,
                  std::string(info.name) + ": expected " +
                      std::to_string(info.arguments) + " arguments, got " +
                      std::to_string(inputs.size()));
    for (Array &input : inputs)
      arguments.push_back(input.get());
    outputs.reserve(info.results);
    for (uint32_t i = 0; i < info.results; ++i) {
      nmValueInfo value;
      check(nmProgramGetResult(program, call.function, i, &value));
      if (value.isNumber || value.isAllocated)
        throw Error(NMRT_INVALID_ARGUMENT,
                    std::string(info.name) + ": result #" + std::to_string(i) +
                        " is no array of planned size: use nm-c/Program.h");
      outputs.emplace_back(
          value.type,
          std::vector<int64_t>(value.extents, value.extents + value.rank),
          nullptr);
      results.push_back(outputs.back().get());
    }
  }

  Prepared &prepared;
  std::vector<Array> inputs, outputs;
  std::vector<nmArray> arguments, results;
  std::vector<Memory> memory;
  Memory workspace;
  nmCall call = {};
};

} // namespace nmrt

#endif // NM_C_PROGRAM_HPP
