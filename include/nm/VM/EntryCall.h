//===- EntryCall.h - One call of a public function --------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From arrays of a caller to the numbers and buffers of host code, and back.
//
//===----------------------------------------------------------------------===//

#ifndef NM_VM_ENTRYCALL_H
#define NM_VM_ENTRYCALL_H

#include "nm-c/Program.h"
#include "nm/VM/PreparedProgram.h"

namespace nm {
namespace vm {

/// The DLPack type of `element`.
nmElementType getElementType(ElementType element);

/// What nmProgramPlan does.
Status plan(const program::Program &program, const program::Entry &entry,
            const nmArray *arguments, nmArray *results,
            uint64_t &workspaceBytes);

/// What nmPreparedRun does.
Status run(PreparedProgram &prepared, const program::Entry &entry,
           const nmCall &call);

} // namespace vm
} // namespace nm

#endif // NM_VM_ENTRYCALL_H
