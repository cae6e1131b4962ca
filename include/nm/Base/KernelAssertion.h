//===- KernelAssertion.h - How kernels report failed assertions -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What nm-lower-kernel-asserts and the runtime agree on. A thread whose
// cf.assert fails stores the address of its message in a variable of its
// module, and ends. The runtime reads the variable when it waits for the
// device. (A trap would make the CUDA context useless and lose the message.)
//
//===----------------------------------------------------------------------===//

#ifndef NM_BASE_KERNELASSERTION_H
#define NM_BASE_KERNELASSERTION_H

namespace nm {

/// The variable, of 8 bytes; 0 as long as no assertion has failed.
inline constexpr char kFailedAssertion[] = "nm_failed_assertion";

/// The size of every message, filled up with 0 bytes, at least one.
inline constexpr unsigned kAssertionMessageBytes = 256;

} // namespace nm

#endif // NM_BASE_KERNELASSERTION_H
