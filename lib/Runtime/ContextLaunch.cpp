//===- ContextLaunch.cpp - Launches of a context -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Runtime/Context.h"

#include "Allocations.h"
#include "LaunchRecords.h"

using namespace nm::runtime;

static std::string str(uint64_t value) { return std::to_string(value); }

/// Extents are computed with signs: what passes 63 bits was negative.
static std::string signedStr(uint64_t value) {
  return std::to_string(static_cast<int64_t>(value));
}

static Status invalid(std::string message) {
  return Status(NMRT_INVALID_ARGUMENT, std::move(message));
}

/// Checks the dimensions against CUDA's limits.
static Status checkDimensions(const Launch &launch) {
  static const char *const axes = "xyz";
  static const uint64_t gridLimits[] = {0x7fffffff, 65535, 65535};
  static const uint32_t blockLimits[] = {1024, 1024, 64};
  uint64_t threads = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (launch.grid[axis] > gridLimits[axis])
      return invalid(std::string("expected a grid of at most ") +
                     str(gridLimits[axis]) + " blocks along " + axes[axis] +
                     ", got " + signedStr(launch.grid[axis]));
    if (launch.block[axis] < 1 || launch.block[axis] > blockLimits[axis])
      return invalid(std::string("expected a block of 1 to ") +
                     str(blockLimits[axis]) + " threads along " + axes[axis] +
                     ", got " + str(launch.block[axis]));
    threads *= launch.block[axis];
  }
  if (threads > 1024)
    return invalid("expected at most 1024 threads in a block, got " +
                   str(threads));
  return Status();
}

/// Checks that clusters divide the grid.
static Status checkCluster(const Launch &launch) {
  const uint32_t (&cluster)[3] = launch.cluster;
  if (cluster[0] == 0 && cluster[1] == 0 && cluster[2] == 0)
    return Status();
  for (int axis = 0; axis < 3; ++axis)
    if (cluster[axis] == 0 || launch.grid[axis] % cluster[axis] != 0)
      return invalid(std::string("expected clusters that divide the ") +
                     str(launch.grid[axis]) + " blocks along " + "xyz"[axis] +
                     ", got " + str(cluster[axis]));
  return Status();
}

/// Checks number and sizes of the parameters, as far as they are known.
static Status checkParameters(const Launch &launch) {
  uint32_t count = launch.parameterCount;
  if (!launch.parameters && count != 0)
    return invalid("expected " + str(count) + " parameters, got null");
  const std::vector<uint64_t> *sizes = launch.kernel->getParameterSizes();
  uint64_t expected = sizes ? sizes->size() : count;
  if (count != expected || count > kMaximumParameters)
    return Status(NMRT_LAUNCH_FAILED,
                  "expected " +
                      (count != expected
                           ? str(expected)
                           : "at most " + str(kMaximumParameters)) +
                      " parameters, got " + str(count));
  for (uint32_t i = 0; i < count; ++i) {
    const nmrtParameter &parameter = launch.parameters[i];
    if (!parameter.value)
      return invalid("parameter #" + str(i) + ": expected a value, got null");
    if (sizes && parameter.bytes != (*sizes)[i])
      return Status(NMRT_LAUNCH_FAILED, "parameter #" + str(i) + ": expected " +
                                            str((*sizes)[i]) + " bytes, got " +
                                            str(parameter.bytes));
  }
  return Status();
}

/// How an error names a launch.
static std::string describeLaunch(const std::string &kernel, const char *what) {
  std::string text = "kernel `" + kernel + "`";
  if (what && kernel != what)
    text += ", launched as `" + std::string(what) + "`";
  return text + ": ";
}

/// An empty grid is no error whatever its other extents are.
static bool isEmpty(const Launch &launch) {
  return launch.grid[0] == 0 || launch.grid[1] == 0 || launch.grid[2] == 0;
}

// What succeeds makes no text and asks for no memory.
Status Context::launch(const Launch &launch) {
  if (!launch.kernel)
    return invalid("expected a kernel, got null");
  if (isEmpty(launch))
    return Status();
  Status status;
  if (launch.kernel->getModule().owner != this)
    status = invalid("expected a kernel of this context, got another's");
  if (!status.failed())
    status = checkDimensions(launch);
  if (!status.failed())
    status = checkCluster(launch);
  if (!status.failed())
    status = checkParameters(launch);
  if (!status.failed())
    status = recordKernels ? records->launch(launch)
                           : device->launch(launch, /*record=*/false);
  if (status.failed())
    return Status(status.code,
                  describeLaunch(launch.kernel->getName(), launch.what) +
                      status.message);
  count(launches);
  allocations->noteLaunch(launch);
  return status;
}
