//===- ProgramCApi.cpp - nm-c/Program.h -----------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramHandles.h"

using namespace nm;
using namespace nm::vm;
using runtime::guarded;

static Status
load(const std::function<std::shared_ptr<const program::File>(std::string &)>
         &read,
     nmProgram **program) {
  Status status =
      checkPlace(static_cast<const void *>(program), "a place for the program");
  if (status.failed())
    return status;
  *program = nullptr;
  std::string error;
  auto result = std::make_unique<nmProgram>();
  result->file = read(error);
  if (!result->file)
    return invalid(error);
  for (const program::Function &function : result->get().functions) {
    auto uses = program::findUses(function);
    bool waits = uses.loads, allocates = uses.allocates;
    for (uint32_t callee : uses.callees) {
      waits = waits || result->waits[callee];
      allocates = allocates || result->allocates[callee];
    }
    result->waits.push_back(waits);
    result->allocates.push_back(allocates);
  }
  describeLayouts(*result);
  *program = result.release();
  return Status();
}

nmrtStatus nmProgramLoad(const char *path, nmProgram **program) {
  return guarded([&] {
    Status status = checkPlace(path, "a path");
    return status.failed() ? status
                           : load(
                                 [&](std::string &error) {
                                   return program::File::open(path, error);
                                 },
                                 program);
  });
}

nmrtStatus nmProgramLoadBytes(const void *bytes, uint64_t size,
                              nmProgram **program) {
  return guarded([&] {
    Status status = checkPlace(bytes, "the bytes of a program");
    std::string_view text(static_cast<const char *>(bytes), size);
    return status.failed() ? status
                           : load(
                                 [&](std::string &error) {
                                   return program::File::read(text, error);
                                 },
                                 program);
  });
}

nmrtStatus nmProgramVerify(const nmProgram *program) {
  return guarded([&] {
    Status status = checkPlace(program, "a program");
    std::string error;
    for (size_t i = 0; !status.failed() && i < program->get().constants.size();
         ++i)
      if (!program->file->checkConstant(i, error))
        status = invalid(error);
    return status;
  });
}

void nmProgramRelease(nmProgram *program) { delete program; }

nmrtStatus nmProgramGetInfo(const nmProgram *program, nmProgramInfo *info) {
  return guarded([&] {
    Status status = checkPlace(program, "a program");
    if (!status.failed())
      status = checkPlace(info, "a place for what is known of it");
    if (status.failed())
      return status;
    const program::Program &from = program->get();
    info->version = from.version.c_str();
    info->llvmVersion = from.llvmVersion.c_str();
    info->source = from.source.c_str();
    info->chip = from.chip.c_str();
    info->report = from.report.c_str();
    info->functions = static_cast<uint32_t>(from.entries.size());
    info->kernels = static_cast<uint32_t>(from.kernels.size());
    info->constants = static_cast<uint32_t>(from.constants.size());
    info->constantBytes = 0;
    for (const program::Constant &constant : from.constants)
      info->constantBytes += constant.data.size();
    return Status();
  });
}

nmrtStatus nmProgramGetFunction(const nmProgram *program, uint32_t function,
                                nmFunctionInfo *info) {
  return guarded([&] {
    const program::Entry *entry = nullptr;
    Status status = getEntry(program, function, entry);
    if (!status.failed())
      status = checkPlace(info, "a place for what is known of it");
    if (status.failed())
      return status;
    info->name = entry->name.c_str();
    info->arguments = static_cast<uint32_t>(entry->arguments.size());
    info->results = static_cast<uint32_t>(entry->results.size());
    info->state = static_cast<uint32_t>(entry->initialState.size());
    info->waits = program->waits[entry->run];
    info->allocates = program->allocates[entry->run];
    info->weights = static_cast<uint32_t>(entry->weights.size());
    return Status();
  });
}

nmrtStatus nmProgramFindFunction(const nmProgram *program, const char *name,
                                 uint32_t *function) {
  return guarded([&] {
    Status status = checkPlace(program, "a program");
    if (!status.failed())
      status = checkPlace(function, "a place for the function");
    if (status.failed())
      return status;
    std::string error;
    auto found = program::findEntry(program->get(), name ? name : "", error);
    if (!found)
      return invalid(error);
    *function = *found;
    return Status();
  });
}

static void describe(const ValueType &type, const std::string *name,
                     bool isAllocated, nmValueInfo &info) {
  info.name = name ? name->c_str() : "";
  // Views of literals end in 0.
  info.element = getNumericType(type.element).name.data();
  info.type = getElementType(type.element);
  info.isNumber = type.isScalar;
  info.isAllocated = isAllocated;
  info.rank = static_cast<int32_t>(type.shape.size());
  info.extents = type.shape.data();
}

/// What both functions below do: `isResult` says which list `index` is of.
static nmrtStatus describeValue(const nmProgram *program, uint32_t function,
                                bool isResult, uint32_t index,
                                nmValueInfo *info) {
  return guarded([&] {
    const program::Entry *entry = nullptr;
    Status status = getEntry(program, function, entry);
    if (!status.failed())
      status = checkPlace(info, "a place for what is known of it");
    if (!status.failed())
      status = checkIndex(
          index, isResult ? entry->results.size() : entry->arguments.size(),
          isResult ? "results" : "arguments");
    if (status.failed())
      return status;
    const auto &names = isResult ? entry->resultNames : entry->argumentNames;
    const ValueType &type =
        isResult ? entry->results[index].type : entry->arguments[index];
    bool isAllocated =
        isResult && !type.isScalar &&
        entry->results[index].place == program::ResultPlace::Allocated;
    describe(type, names.empty() ? nullptr : &names[index], isAllocated, *info);
    return status;
  });
}

nmrtStatus nmProgramGetArgument(const nmProgram *program, uint32_t function,
                                uint32_t argument, nmValueInfo *info) {
  return describeValue(program, function, /*isResult=*/false, argument, info);
}

nmrtStatus nmProgramGetResult(const nmProgram *program, uint32_t function,
                              uint32_t result, nmValueInfo *info) {
  return describeValue(program, function, /*isResult=*/true, result, info);
}

nmrtStatus nmProgramGetInitialState(const nmProgram *program, uint32_t function,
                                    uint32_t argument, const void **data,
                                    uint64_t *bytes) {
  return guarded([&] {
    const program::Entry *entry = nullptr;
    Status status = getEntry(program, function, entry);
    if (!status.failed())
      status =
          checkPlace(static_cast<const void *>(data), "a place for the data");
    if (!status.failed())
      status = checkPlace(bytes, "a place for the bytes");
    if (!status.failed())
      status = checkIndex(argument, entry->initialState.size(),
                          "arguments that are state");
    if (status.failed())
      return status;
    std::string error;
    if (!program->file->checkConstant(entry->initialState[argument], error))
      return invalid(error);
    std::string_view initial =
        program->get().constants[entry->initialState[argument]].data;
    *data = initial.data();
    *bytes = initial.size();
    return status;
  });
}

nmrtStatus nmProgramPlan(const nmProgram *program, uint32_t function,
                         const nmArray *arguments, nmArray *results,
                         uint64_t *workspaceBytes) {
  return guarded([&] {
    const program::Entry *entry = nullptr;
    Status status = getEntry(program, function, entry);
    if (!status.failed())
      status = checkPlace(workspaceBytes, "a place for the bytes");
    if (!status.failed() && !entry->results.empty())
      status = checkPlace(results, "places for the extents of results");
    return status.failed() ? status
                           : plan(program->get(), *entry, arguments, results,
                                  *workspaceBytes);
  });
}

nmrtStatus nmProgramPrepare(nmProgram *program, nmrtContext *context,
                            nmPrepared **prepared) {
  return guarded([&] {
    Status status = checkPlace(program, "a program");
    if (!status.failed())
      status = checkPlace(context, "a context");
    if (!status.failed())
      status = checkPlace(static_cast<const void *>(prepared),
                          "a place for what is prepared");
    if (status.failed())
      return status;
    *prepared = nullptr;
    auto result = std::make_unique<nmPrepared>();
    status = PreparedProgram::create(program->file, *runtime::unwrap(context),
                                     result->program);
    if (!status.failed())
      *prepared = result.release();
    return status;
  });
}

void nmPreparedRelease(nmPrepared *prepared) { delete prepared; }

nmrtStatus nmPreparedRun(nmPrepared *prepared, const nmCall *call) {
  return guarded([&] {
    if (!prepared || !call)
      return invalid("expected a prepared program and a call, got null");
    const std::vector<program::Entry> &entries =
        prepared->program->getProgram().entries;
    Status status = checkIndex(call->function, entries.size(), "functions");
    return status.failed()
               ? status
               : run(*prepared->program, entries[call->function], *call);
  });
}
