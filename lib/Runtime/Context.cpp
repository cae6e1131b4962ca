//===- Context.cpp - State behind nmrtContext -----------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"
#include "nm/Base/KernelAssertion.h"
#include "nm/Runtime/Devices.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

using namespace nm;
using namespace nm::runtime;

static std::string str(uint64_t value) { return std::to_string(value); }

/// Extents are computed with signs: what passes 63 bits was negative.
static std::string signedStr(uint64_t value) {
  return std::to_string(static_cast<int64_t>(value));
}

static Status invalid(std::string message) {
  return Status(NMRT_INVALID_ARGUMENT, std::move(message));
}

bool nm::runtime::isCubin(const void *image, uint64_t bytes) {
  return bytes >= 4 && std::memcmp(image, "\177ELF", 4) == 0;
}

/// "one of 0 (cuda), 1 (emulator)".
static std::string listDeviceKinds() {
  std::string kinds;
  for (const DeviceKind &row : getDeviceKinds())
    kinds += (kinds.empty() ? "one of " : ", ") + std::to_string(row.kind) +
             " (" + row.name + ")";
  return kinds;
}

Status Context::create(const nmrtContextOptions &options,
                       std::unique_ptr<Context> &context) {
  if (options.apiVersion != NMRT_API_VERSION)
    return invalid("expected API version " + str(NMRT_API_VERSION) + ", got " +
                   str(options.apiVersion));
  if (options.emulatorChecks & ~uint32_t(NMRT_CHECK_ALL))
    return invalid("expected emulator checks within " + str(NMRT_CHECK_ALL) +
                   ", got " + str(options.emulatorChecks));
  const DeviceKind *kind = lookupDeviceKind(options.device);
  if (!kind)
    return invalid("expected a device kind, " + listDeviceKinds() + ", got " +
                   std::to_string(options.device));
  auto result = std::make_unique<Context>();
  Status status = kind->create(options, result->device);
  if (status.failed())
    return status;
  result->recordKernels = options.recordKernels;
  context = std::move(result);
  return Status();
}

Context::~Context() {
  for (const auto &allocation : allocations)
    (void)device->free(allocation.first);
}

Status Context::allocate(uint64_t bytes, void **pointer, const char *what) {
  if (!pointer)
    return invalid("expected a place for the pointer, got null");
  *pointer = nullptr;
  void *allocated = nullptr;
  Status status = device->allocate(bytes, allocated);
  if (status.code == NMRT_OUT_OF_MEMORY)
    status.message = "cannot allocate " + describeBytes(bytes) +
                     (*what ? " for " : "") + what + ": " + status.message +
                     "; " + str(current) + " bytes are in use, " +
                     str(constantBytes) + " of them constants";
  if (status.failed())
    return status;
  allocations[allocated] = {bytes, /*isConstant=*/false, {}};
  current += bytes;
  peak = std::max(peak, current);
  *pointer = allocated;
  return Status();
}

Status Context::free(void *pointer) {
  if (!pointer)
    return Status();
  auto found = allocations.find(pointer);
  if (found == allocations.end() || found->second.isConstant)
    return invalid("expected a pointer that nmrtAlloc gave and nobody freed, "
                   "got address " +
                   str(reinterpret_cast<uintptr_t>(pointer)));
  return release(pointer);
}

Status Context::release(void *pointer) {
  auto found = allocations.find(pointer);
  if (recordKernels)
    liveness.end(found->second.lifetime, found->second.bytes);
  current -= found->second.bytes;
  if (found->second.isConstant)
    constantBytes -= found->second.bytes;
  allocations.erase(found);
  return device->free(pointer);
}

void Context::noteUse(const void *pointer, bool untilFreed) {
  auto found = allocations.find(const_cast<void *>(pointer));
  if (found != allocations.end())
    liveness.use(found->second.lifetime, untilFreed);
}

void Context::noteLaunch(const Launch &launch) {
  liveness.advance();
  std::vector<void *> buffers;
  if (device->findBuffers(launch, buffers))
    for (void *buffer : buffers)
      noteUse(buffer);
  else // all that there is may be used
    for (auto &allocation : allocations)
      noteUse(allocation.first);
}

void Context::getStatistics(nmrtMemoryStatistics &statistics) const {
  Liveness sofar = liveness;
  for (const auto &allocation : allocations)
    sofar.end(allocation.second.lifetime, allocation.second.bytes);
  statistics.current = current;
  statistics.peak = peak;
  statistics.peakReserved = device->peakReservedBytes(peak);
  statistics.liveMaximum = recordKernels ? sofar.maximum() : peak;
  statistics.constants = constantBytes;
}

Status Context::upload(void *target, const void *host, uint64_t bytes) {
  if (bytes == 0)
    return Status();
  if (!target || !host)
    return invalid("expected two addresses for an upload of " + str(bytes) +
                   " bytes, got null");
  liveness.advance();
  noteUse(target, /*untilFreed=*/true);
  return device->upload(target, host, bytes);
}

Status Context::download(void *host, const void *source, uint64_t bytes) {
  if (bytes == 0)
    return synchronize();
  if (!host || !source)
    return invalid("expected two addresses for a download of " + str(bytes) +
                   " bytes, got null");
  liveness.advance();
  noteUse(source);
  Status status = device->download(host, source, bytes);
  return status.failed() ? status : checkAssertions();
}

Status Context::synchronize() {
  Status status = device->synchronize();
  return status.failed() ? status : checkAssertions();
}

Status Context::noteAssertions(const Launch &launch) {
  auto key = reinterpret_cast<uintptr_t>(launch.image);
  if (assertions.count(key))
    return Status();
  void *variable = nullptr;
  Status status;
  // A cubin holds the names of its variables, too. To ask the driver for one
  // that is not there is an error that compute-sanitizer reports.
  std::string_view image(static_cast<const char *>(launch.image),
                         launch.imageBytes);
  if (image.find(kFailedAssertion) != std::string_view::npos)
    status = device->findVariable(launch, kFailedAssertion, variable);
  if (!status.failed())
    assertions[key] = variable;
  return status;
}

Status Context::checkAssertions() {
  for (const auto &entry : assertions) {
    if (!entry.second)
      continue;
    void *message = nullptr;
    Status status = device->download(static_cast<void *>(&message),
                                     entry.second, sizeof(message));
    if (status.failed())
      return status;
    if (!message)
      continue;
    char text[kAssertionMessageBytes] = {};
    status = device->download(text, message, sizeof(text) - 1);
    if (status.failed())
      return status;
    void *none = nullptr;
    status =
        device->upload(entry.second, static_cast<void *>(&none), sizeof(none));
    return status.failed() ? status : Status(NMRT_ASSERTION, text);
  }
  return Status();
}

Status Context::copy(void *target, const void *source, uint64_t bytes) {
  if (bytes == 0)
    return Status();
  if (!target || !source)
    return invalid("expected two addresses for a copy of " + str(bytes) +
                   " bytes, got null");
  liveness.advance();
  noteUse(target);
  noteUse(source);
  return device->copy(target, source, bytes);
}

Status Context::constant(const void *host, uint64_t bytes, void **pointer) {
  if (!pointer)
    return invalid("expected a place for the pointer, got null");
  *pointer = nullptr;
  if (!host && bytes != 0)
    return invalid("expected the address of a constant, got null");
  auto key = reinterpret_cast<uintptr_t>(host);
  auto found = constants.find(key);
  if (found != constants.end()) {
    uint64_t before = allocations[found->second].bytes;
    if (before != bytes)
      return invalid("expected the constant at this address to have " +
                     str(before) + " bytes as before, got " + str(bytes));
    *pointer = found->second;
    return Status();
  }
  void *allocated = nullptr;
  Status status = allocate(bytes, &allocated, "a constant");
  if (status.failed())
    return status;
  status = upload(allocated, host, bytes);
  if (status.failed()) {
    (void)release(allocated);
    return status;
  }
  allocations[allocated].isConstant = true;
  constantBytes += bytes;
  constants[key] = allocated;
  *pointer = allocated;
  return Status();
}

Status Context::forget(const void *host, uint64_t bytes) {
  auto begin = reinterpret_cast<uintptr_t>(host);
  uintptr_t end = begin + bytes;
  if (end < begin)
    end = std::numeric_limits<uintptr_t>::max();
  auto first = constants.lower_bound(begin), last = constants.lower_bound(end);
  for (auto it = first; it != last; ++it) {
    Status status = release(it->second);
    if (status.failed())
      return status;
  }
  constants.erase(first, last);
  assertions.erase(assertions.lower_bound(begin), assertions.lower_bound(end));
  return device->forgetImages(begin, end);
}

/// Checks the dimensions against CUDA's limits.
static Status checkDimensions(const uint64_t (&grid)[3],
                              const uint32_t (&block)[3]) {
  static const char *const axes = "xyz";
  static const uint64_t gridLimits[] = {0x7fffffff, 65535, 65535};
  static const uint32_t blockLimits[] = {1024, 1024, 64};
  uint64_t threads = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (grid[axis] > gridLimits[axis])
      return invalid(std::string("expected a grid of at most ") +
                     str(gridLimits[axis]) + " blocks along " + axes[axis] +
                     ", got " + signedStr(grid[axis]));
    if (block[axis] < 1 || block[axis] > blockLimits[axis])
      return invalid(std::string("expected a block of 1 to ") +
                     str(blockLimits[axis]) + " threads along " + axes[axis] +
                     ", got " + str(block[axis]));
    threads *= block[axis];
  }
  if (threads > 1024)
    return invalid("expected at most 1024 threads in a block, got " +
                   str(threads));
  return Status();
}

/// How an error names a launch.
static std::string describeLaunch(const char *kernel, const char *what) {
  std::string text = "kernel `" + std::string(kernel) + "`";
  if (std::strcmp(kernel, what) != 0)
    text += ", launched as `" + std::string(what) + "`";
  return text + ": ";
}

Status Context::launch(const void *image, uint64_t imageBytes, const char *name,
                       const char *what, const uint64_t (&grid)[3],
                       const uint32_t (&block)[3], uint32_t sharedBytes,
                       void **parameters, uint32_t parameterCount) {
  if (!image || imageBytes == 0)
    return invalid("expected an image, got none");
  if (!name)
    return invalid("expected a kernel name, got null");
  if (!parameters && parameterCount != 0)
    return invalid("expected " + str(parameterCount) + " parameters, got null");
  // An empty grid is no error whatever its other extents are.
  if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
    return Status();
  what = what ? what : name;
  std::string prefix = describeLaunch(name, what);
  Status status = checkDimensions(grid, block);
  if (status.failed())
    return invalid(prefix + status.message);

  Launch launch;
  launch.image = image;
  launch.imageBytes = imageBytes;
  launch.name = name;
  for (int axis = 0; axis < 3; ++axis) {
    launch.grid[axis] = static_cast<uint32_t>(grid[axis]);
    launch.block[axis] = block[axis];
  }
  launch.sharedBytes = sharedBytes;
  launch.parameters = parameters;
  launch.parameterCount = parameterCount;
  status = device->launch(launch, recordKernels);
  if (status.failed())
    return Status(status.code, prefix + status.message);
  // The device has a record of each launch, so that there is one here whatever
  // fails after it.
  if (recordKernels) {
    noteLaunch(launch);
    Record &record = records.emplace_back();
    record.name = what;
    record.kernel = name;
    record.launch.sharedBytes = sharedBytes;
    std::copy(std::begin(grid), std::end(grid), record.launch.grid);
    std::copy(std::begin(block), std::end(block), record.launch.block);
  }
  return noteAssertions(launch);
}

Status Context::resolve(uint64_t index, Record *&record) {
  if (index >= records.size())
    return invalid("expected the index of one of " + str(records.size()) +
                   " records, got " + str(index));
  record = &records[index];
  if (record->timed)
    return Status();
  Status status = device->timing(index, record->timing);
  if (status.failed())
    return status;
  record->timed = true;
  record->launch.name = record->name.c_str();
  record->launch.kernel = record->kernel.c_str();
  record->launch.milliseconds = record->timing.milliseconds;
  return Status();
}

Status Context::recordAt(uint64_t index, nmrtKernelRecord *result) {
  if (!result)
    return invalid("expected a place for the record, got null");
  Record *record = nullptr;
  Status status = resolve(index, record);
  if (!status.failed())
    *result = record->launch;
  return status;
}

Status Context::recordCounters(uint64_t index, const char **json) {
  if (!json)
    return invalid("expected a place for the counters, got null");
  Record *record = nullptr;
  Status status = resolve(index, record);
  if (!status.failed())
    *json = record->timing.counters.c_str();
  return status;
}

void Context::clearRecords() {
  records.clear();
  device->clearTimings();
}
