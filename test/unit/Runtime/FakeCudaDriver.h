//===- FakeCudaDriver.h - What tests ask of the fake driver -----*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef NM_TEST_UNIT_RUNTIME_FAKECUDADRIVER_H
#define NM_TEST_UNIT_RUNTIME_FAKECUDADRIVER_H

#include <cstdint>

struct FakeCuda {
  /// Calls so far.
  uint64_t attributeQueries, functionLookups, contextPushes, limitRaises,
      freesOnStream;
  /// Of the last launch, and of the last allocation on a stream.
  void *launchStream, *allocationStream;
  uint32_t cluster[3];
  bool dependent;
  /// Whether the last module was to be translated by all processors.
  bool splitCompile;
  /// Set by a test: launches succeed without running anything.
  bool skipLaunches;
  /// The same: the version that the driver says, 13000 where it is 0.
  int version;
};

/// The state of the fake driver, which the library exports by this name.
extern "C" FakeCuda *nmFakeCuda(void);

#endif // NM_TEST_UNIT_RUNTIME_FAKECUDADRIVER_H
