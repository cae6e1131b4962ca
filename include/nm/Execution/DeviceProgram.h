//===- DeviceProgram.h - A program called with host arrays ------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_EXECUTION_DEVICEPROGRAM_H
#define NM_EXECUTION_DEVICEPROGRAM_H

#include "nm/Execution/Callable.h"
#include "nm/VM/PreparedProgram.h"

namespace nm {

/// One function of a program, prepared on a device.
class DeviceProgram : public Callable {
public:
  /// `function` is the number of the function among the program's.
  static llvm::Expected<std::unique_ptr<DeviceProgram>>
  create(std::shared_ptr<const program::File> file, size_t function,
         runtime::Context &context);

  llvm::Expected<std::vector<Tensor>>
  call(llvm::ArrayRef<Tensor> inputs) override;

private:
  DeviceProgram(std::unique_ptr<vm::PreparedProgram> prepared, size_t function)
      : prepared(std::move(prepared)), function(function) {}

  std::unique_ptr<vm::PreparedProgram> prepared;
  size_t function;
};

} // namespace nm

#endif // NM_EXECUTION_DEVICEPROGRAM_H
