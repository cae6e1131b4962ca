//===- ProgramHandles.h - What nm-c/Program.h points to ---------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_VM_PROGRAMHANDLES_H
#define NM_LIB_VM_PROGRAMHANDLES_H

#include "nm-c/Program.h"

#include "nm/Program/File.h"
#include "nm/Runtime/Handles.h"
#include "nm/VM/EntryCall.h"

namespace nm {
namespace vm {

/// Texts that name the arrays of a layout.
struct LayoutKeys {
  std::string values, indices;
};

} // namespace vm
} // namespace nm

struct nmProgram {
  std::shared_ptr<const nm::program::File> file;
  /// Say of each function of the program whether a call of it may wait for the
  /// device, or allocate.
  std::vector<bool> waits, allocates;
  /// The keys are listed by entry, weight and layout.
  std::vector<std::vector<std::vector<nm::vm::LayoutKeys>>> keys;

  const nm::program::Program &get() const { return file->getProgram(); }
};

struct nmPrepared {
  std::unique_ptr<nm::vm::PreparedProgram> program;
};

namespace nm {
namespace vm {

inline Status invalid(std::string message) {
  return Status(NMRT_INVALID_ARGUMENT, std::move(message));
}

inline Status checkPlace(const void *place, const char *what) {
  return place ? Status()
               : invalid(std::string("expected ") + what + ", got null");
}

inline Status checkIndex(size_t index, size_t count, const char *what) {
  return index < count
             ? Status()
             : invalid("expected one of " + std::to_string(count) + " " + what +
                       ", got number " + std::to_string(index));
}

/// Finds the entry that is function number `function` for callers.
inline Status getEntry(const nmProgram *program, uint32_t function,
                       const program::Entry *&entry) {
  if (!program)
    return invalid("expected a program, got null");
  const std::vector<program::Entry> &entries = program->get().entries;
  Status status = checkIndex(function, entries.size(), "functions");
  if (!status.failed())
    entry = &entries[function];
  return status;
}

/// Fills in the keys of a program that was read.
void describeLayouts(nmProgram &program);

} // namespace vm
} // namespace nm

#endif // NM_LIB_VM_PROGRAMHANDLES_H
