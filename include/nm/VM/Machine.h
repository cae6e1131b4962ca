//===- Machine.h - Host code of programs, interpreted -----------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_VM_MACHINE_H
#define NM_VM_MACHINE_H

#include "nm/VM/PreparedProgram.h"

#include <vector>

namespace nm {
namespace vm {

/// Runs functions of one call. Without a device only code that uses none runs,
/// as that of plans; anything else is an error.
class Machine {
public:
  Machine(const program::Program &program, PreparedProgram *prepared,
          void *stream)
      : program(program), prepared(prepared), stream(stream) {}
  Machine(const Machine &) = delete;
  /// Frees what was allocated and neither freed nor released.
  ~Machine();

  /// Runs function `index`, which takes and gives as many numbers and buffers
  /// as its declaration says.
  Status run(uint32_t index, const int64_t *numbers, const Buffer *buffers,
             int64_t *numberResults, Buffer *bufferResults);

  /// Leaves an allocation to the caller.
  void release(void *allocation);

private:
  struct Frame;

  Status execute(const program::Function &function, Frame &frame);
  Status call(Frame &frame, const uint32_t *operands);
  Status allocate(Frame &frame, const uint32_t *operands);
  Status free(Buffer &buffer);
  Status slice(Frame &frame, const uint32_t *operands);
  Status load(Frame &frame, const uint32_t *operands);
  Status launch(Frame &frame, const uint32_t *operands);
  Status encodeTensorMap(Frame &frame, const uint32_t *operands);
  Status useDevice(Frame &frame, const uint32_t *&place);

  const program::Program &program;
  PreparedProgram *prepared;
  void *stream;
  std::vector<void *> allocations;
};

} // namespace vm
} // namespace nm

#endif // NM_VM_MACHINE_H
