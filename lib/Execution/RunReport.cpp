//===- RunReport.cpp - What nm-run prints about kernels -------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunReport.h"

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

llvm::Expected<std::vector<KernelTime>>
nm::measureKernels(nmrtContext *context) {
  llvm::MapVector<std::string, KernelTime, std::map<std::string, unsigned>>
      kernels;
  llvm::Error error =
      forEachRecord(context, [&](uint64_t, const nmrtKernelRecord &record) {
        KernelTime &kernel = kernels[record.name];
        kernel.name = record.name;
        ++kernel.launches;
        kernel.milliseconds += record.milliseconds;
        return llvm::Error::success();
      });
  if (error)
    return error;
  std::vector<KernelTime> times;
  for (auto &[name, kernel] : kernels)
    times.push_back(std::move(kernel));
  return times;
}

llvm::Error nm::printKernelTable(llvm::ArrayRef<KernelTime> kernels,
                                 nmrtContext *context, llvm::raw_ostream &os) {
  KernelTime total{"total"};
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
              "  %8llu  %10.4f  %10.4f  %5.1f%%\n",
              static_cast<unsigned long long>(row.launches), row.milliseconds,
              row.launches ? row.milliseconds / row.launches : 0.0, share);
  };
  os << llvm::left_justify("kernel", width)
     << "  launches    total ms     mean ms   share\n";
  llvm::for_each(kernels, print);
  print(total);
  return printMemory(context, os);
}

static llvm::Error printCounters(nmrtContext *context,
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

llvm::Error nm::writeCounters(nmrtContext *context, const std::string &path) {
  if (path == "-")
    return printCounters(context, llvm::outs());
  return writeFile(path, [&](llvm::raw_ostream &file) {
    return printCounters(context, file);
  });
}
