//===- Sections.h - The parts of a file -------------------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PROGRAM_SECTIONS_H
#define NM_LIB_PROGRAM_SECTIONS_H

#include "Fields.h"

namespace nm {
namespace program {

/// Magic, header and fields of `program`, with zeros behind them.
std::string writeProgram(const Program &program,
                         const std::vector<ConstantFields> &fields);

/// Reads what `writeProgram` wrote from the beginning of `bytes`, but not the
/// data of constants. `size` receives how many bytes that was.
bool readProgram(std::string_view bytes, Program &program,
                 std::vector<ConstantFields> &fields, uint64_t &size,
                 std::string &error);

/// What a file begins with: the bytes of the header, then safetensors' header
/// of a program that takes `programBytes` bytes. The same for the same program,
/// so that a reader compares instead of parsing.
std::string makeSafetensorsHeader(const Program &program,
                                  uint64_t programBytes);

} // namespace program
} // namespace nm

#endif // NM_LIB_PROGRAM_SECTIONS_H
