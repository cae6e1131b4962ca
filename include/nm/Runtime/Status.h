//===- Status.h - A status code with its text -------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How errors travel inside the runtime, which throws nothing itself.
//
//===----------------------------------------------------------------------===//

#ifndef NM_RUNTIME_STATUS_H
#define NM_RUNTIME_STATUS_H

#include "nm-c/Runtime.h"

#include <cstdint>
#include <string>
#include <utility>

namespace nm {
namespace runtime {

struct [[nodiscard]] Status {
  nmrtStatus code = NMRT_OK;
  std::string message;

  Status() = default;
  Status(nmrtStatus code, std::string message)
      : code(code), message(std::move(message)) {}

  bool failed() const { return code != NMRT_OK; }
};

/// "16 bytes". Compiled code asks for 2^64 - 1 where a product of sizes passes
/// 64 bits.
inline std::string describeBytes(uint64_t bytes) {
  return bytes == UINT64_MAX ? "2^64 bytes or more"
                             : std::to_string(bytes) + " bytes";
}

} // namespace runtime
} // namespace nm

#endif // NM_RUNTIME_STATUS_H
