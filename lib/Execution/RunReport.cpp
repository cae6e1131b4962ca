//===- RunReport.cpp - What nm-run prints about kernels -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunReport.h"

#include "nm/Support/JSON.h"
#include "nm/Target/TargetInfo.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace nm;

/// Calls `visit` with the index and record of every launch.
template <typename Visit>
static llvm::Error forEachRecord(nmrtContext *context, Visit visit) {
  uint64_t count = 0;
  nmrtStatus status = nmrtKernelRecordCount(context, &count);
  for (uint64_t index = 0; status == NMRT_OK && index < count; ++index) {
    nmrtKernelRecord record;
    status = nmrtKernelRecordAt(context, index, &record);
    if (status != NMRT_OK)
      break;
    if (llvm::Error error = visit(index, record))
      return error;
  }
  if (status != NMRT_OK)
    return llvm::createStringError(
        llvm::Twine("cannot read the kernels' times: ") + nmrtLastError());
  return llvm::Error::success();
}

llvm::Expected<MeasuredMemory> nm::measureMemory(nmrtContext *context) {
  nmrtMemoryStatistics memory;
  if (nmrtGetMemoryStatistics(context, &memory) != NMRT_OK)
    return llvm::createStringError(nmrtLastError());
  return MeasuredMemory{memory.peakReserved, memory.liveMaximum,
                        memory.constants};
}

/// Prints how much memory the buffers had, and how much they needed.
static llvm::Error printMemory(nmrtContext *context, llvm::raw_ostream &os) {
  auto memory = measureMemory(context);
  if (!memory)
    return memory.takeError();
  auto toMiB = [](uint64_t bytes) {
    return static_cast<double>(bytes) / (1 << 20);
  };
  os << "device memory at most: "
     << llvm::format("%.3f MiB", toMiB(memory->peak)) << " (" << memory->peak
     << " bytes), live maximum: "
     << llvm::format("%.3f MiB", toMiB(memory->liveMaximum)) << " ("
     << memory->liveMaximum << " bytes), constants: " << memory->constants
     << " bytes\n";
  return llvm::Error::success();
}

/// Calls `visit` with the name and bytes of each launch of which `report` knows
/// these: a program file has what was said when it was compiled.
static void
forEachBytes(const Report &report,
             llvm::function_ref<void(llvm::StringRef, int64_t)> visit) {
  for (const KernelReport &kernel : report.kernels)
    for (const std::string &launch : kernel.launches)
      if (kernel.bytes)
        visit(launch, *kernel.bytes);
  if (report.compiled.empty())
    return;
  llvm::Expected<llvm::json::Value> parsed = parseJSON(report.compiled);
  if (!parsed)
    return llvm::consumeError(parsed.takeError());
  const llvm::json::Object *whole = parsed->getAsObject();
  const llvm::json::Array *kernels =
      whole ? whole->getArray("kernels") : nullptr;
  for (const llvm::json::Value &value :
       kernels ? *kernels : llvm::json::Array()) {
    const llvm::json::Object *kernel = value.getAsObject();
    auto bytes = kernel ? kernel->getInteger("bytes") : std::nullopt;
    const llvm::json::Array *launches =
        bytes ? kernel->getArray("launches") : nullptr;
    for (const llvm::json::Value &launch :
         launches ? *launches : llvm::json::Array())
      if (auto name = launch.getAsString())
        visit(*name, *bytes);
  }
}

LaunchFloors::LaunchFloors(const Report &report) {
  forEachBytes(report, [&](llvm::StringRef launch, int64_t ofLaunch) {
    bytes[launch] = ofLaunch;
  });
  if (const TargetInfo *target = lookupTarget(report.chip))
    bandwidth = target->memoryBandwidth;
}

std::optional<int64_t> LaunchFloors::getBytes(llvm::StringRef name) const {
  auto found = bytes.find(name);
  return found == bytes.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double>
LaunchFloors::getFloor(std::optional<int64_t> count) const {
  if (!count || bandwidth <= 0)
    return std::nullopt;
  return 1e3 * static_cast<double>(*count) / bandwidth;
}

/// Adds what a launch of a kernel moves at least.
static void addFloor(KernelTime &kernel, const LaunchFloors &floors) {
  std::optional<int64_t> bytes = floors.getBytes(kernel.name);
  bool isFirst = kernel.launches == 1;
  if (!bytes || (!isFirst && !kernel.bytes))
    return;
  kernel.bytes = (isFirst ? 0 : *kernel.bytes) + *bytes;
  kernel.floorMilliseconds = floors.getFloor(kernel.bytes);
}

llvm::Expected<std::vector<KernelTime>>
nm::measureKernels(nmrtContext *context, const LaunchFloors &floors) {
  llvm::MapVector<std::string, KernelTime, std::map<std::string, unsigned>>
      kernels;
  llvm::Error error =
      forEachRecord(context, [&](uint64_t, const nmrtKernelRecord &record) {
        KernelTime &kernel = kernels[record.name];
        kernel.name = record.name;
        ++kernel.launches;
        kernel.milliseconds += record.milliseconds;
        addFloor(kernel, floors);
        return llvm::Error::success();
      });
  if (error)
    return error;
  std::vector<KernelTime> times;
  for (auto &[name, kernel] : kernels)
    times.push_back(std::move(kernel));
  return times;
}

/// The bytes of a launch, its floor and what it reached of that, or dashes.
static void printFloor(const KernelTime &row, bool isGPU,
                       llvm::raw_ostream &os) {
  if (!row.bytes || !row.floorMilliseconds || row.launches == 0) {
    os << llvm::formatv("  {0,12}  {1,10}  {2,7}", "-", "-", "-");
    return;
  }
  auto launches = static_cast<double>(row.launches);
  os << llvm::format("  %12.0f  %10.3f",
                     static_cast<double>(*row.bytes) / launches,
                     1e3 * *row.floorMilliseconds / launches);
  if (isGPU && row.milliseconds > 0)
    os << llvm::format("  %6.1f%%",
                       100 * *row.floorMilliseconds / row.milliseconds);
  else
    os << llvm::formatv("  {0,7}", "-");
}

llvm::Error nm::printKernelTable(llvm::ArrayRef<KernelTime> kernels,
                                 nmrtContext *context, llvm::raw_ostream &os) {
  bool isGPU = nmrtDeviceCapability(context) != 0;
  KernelTime total;
  total.name = "total";
  size_t width = sizeof("kernel") - 1;
  for (const KernelTime &kernel : kernels) {
    total.launches += kernel.launches;
    total.milliseconds += kernel.milliseconds;
    width = std::max(width, kernel.name.size());
  }
  auto print = [&](const KernelTime &row) {
    double share = total.milliseconds > 0
                       ? 100 * row.milliseconds / total.milliseconds
                       : 0;
    os << llvm::left_justify(row.name, width)
       << llvm::format(
              "  %8llu  %10.4f  %10.4f  %5.1f%%",
              static_cast<unsigned long long>(row.launches), row.milliseconds,
              row.launches ? row.milliseconds / row.launches : 0.0, share);
    printFloor(row, isGPU, os);
    os << "\n";
  };
  os << llvm::left_justify("kernel", width)
     << "  launches    total ms     mean ms   share         bytes    floor us"
        "  reached\n";
  llvm::for_each(kernels, print);
  print(total);
  return printMemory(context, os);
}

static llvm::Error printCounters(nmrtContext *context,
                                 const LaunchFloors &floors,
                                 llvm::raw_ostream &file) {
  llvm::json::OStream json(file, /*IndentSize=*/1);
  json.arrayBegin();
  llvm::Error error = forEachRecord(
      context,
      [&](uint64_t index, const nmrtKernelRecord &record) -> llvm::Error {
        const char *counters = nullptr;
        if (nmrtKernelRecordCounters(context, index, &counters) != NMRT_OK)
          return llvm::createStringError(nmrtLastError());
        json.object([&] {
          json.attribute("launch", record.name);
          json.attribute("kernel", record.kernel);
          json.attribute("milliseconds", record.milliseconds);
          json.attributeArray("grid", [&] {
            for (uint64_t extent : record.grid)
              json.value(static_cast<int64_t>(extent));
          });
          json.attributeArray("block", [&] {
            for (uint32_t extent : record.block)
              json.value(static_cast<int64_t>(extent));
          });
          json.attribute("sharedBytes",
                         static_cast<int64_t>(record.sharedBytes));
          std::optional<int64_t> bytes = floors.getBytes(record.name);
          json.attribute("bytes", bytes);
          json.attribute("floorMilliseconds", floors.getFloor(bytes));
          json.attributeBegin("counters");
          json.rawValue(*counters ? counters : "null");
          json.attributeEnd();
        });
        return llvm::Error::success();
      });
  json.arrayEnd();
  file << "\n";
  return error;
}

/// Calls `print` with a new file.
static llvm::Error
writeFile(const std::string &path,
          llvm::function_ref<llvm::Error(llvm::raw_ostream &)> print) {
  std::error_code code;
  llvm::raw_fd_ostream file(path, code, llvm::sys::fs::OF_Text);
  if (code)
    return llvm::createStringError("cannot create `" + path +
                                   "`: " + code.message());
  if (llvm::Error error = print(file))
    return error;
  file.close();
  if (file.has_error()) {
    std::string reason = file.error().message();
    file.clear_error();
    return llvm::createStringError("cannot write `" + path + "`: " + reason);
  }
  return llvm::Error::success();
}

llvm::Error nm::writeReport(const Report &report, const std::string &path) {
  if (path == "-") {
    printTable(report, llvm::outs());
    return llvm::Error::success();
  }
  return writeFile(path, [&](llvm::raw_ostream &os) {
    os << llvm::formatv("{0:2}", toJSON(report)) << "\n";
    return llvm::Error::success();
  });
}

llvm::Error nm::writeCounters(nmrtContext *context, const LaunchFloors &floors,
                              const std::string &path) {
  if (path == "-")
    return printCounters(context, floors, llvm::outs());
  return writeFile(path, [&](llvm::raw_ostream &file) {
    return printCounters(context, floors, file);
  });
}
