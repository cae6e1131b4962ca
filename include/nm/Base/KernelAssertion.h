//===- KernelAssertion.h - How kernels report failed assertions -*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What nm-lower-kernel-asserts and the runtime agree on. A module with
// assertions has a variable, in which the runtime, when it loads the module,
// puts the address of a slot: 8 bytes that the host can read without waiting
// for the device or copying. A thread whose cf.assert fails stores the address
// of its message in the slot, and ends. (A trap would make the CUDA context
// useless and lose the message.)
//
//===----------------------------------------------------------------------===//

#ifndef NM_BASE_KERNELASSERTION_H
#define NM_BASE_KERNELASSERTION_H

namespace nm {

/// The variable, of 8 bytes: the address of the slot. The slot is 0 as long as
/// no assertion has failed.
inline constexpr char kFailedAssertion[] = "nm_failed_assertion";

/// The size of every message, filled up with 0 bytes, at least one.
inline constexpr unsigned kAssertionMessageBytes = 256;

} // namespace nm

#endif // NM_BASE_KERNELASSERTION_H
