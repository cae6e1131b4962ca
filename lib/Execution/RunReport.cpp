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
#include "llvm/Support/JSON.h"

using namespace nm;

static llvm::Error makeError(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

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
    return makeError(llvm::Twine("cannot read the kernels' times: ") +
                     nmrtLastError(context));
  return llvm::Error::success();
}

llvm::Error nm::printKernelTable(nmrtContext *context, llvm::raw_ostream &os) {
  struct Row {
    uint64_t launches = 0;
    double milliseconds = 0;
  };
  llvm::MapVector<std::string, Row, std::map<std::string, unsigned>> rows;
  Row total;
  size_t width = sizeof("kernel") - 1;
  llvm::Error error =
      forEachRecord(context, [&](uint64_t, const nmrtKernelRecord &record) {
        for (Row *row : {&rows[record.name], &total}) {
          ++row->launches;
          row->milliseconds += record.milliseconds;
        }
        width = std::max(width, llvm::StringRef(record.name).size());
        return llvm::Error::success();
      });
  if (error)
    return error;
  auto print = [&](llvm::StringRef name, const Row &row) {
    double share = total.milliseconds > 0
                       ? 100 * row.milliseconds / total.milliseconds
                       : 0;
    os << llvm::left_justify(name, width)
       << llvm::format(
              "  %8llu  %10.4f  %10.4f  %5.1f%%\n",
              static_cast<unsigned long long>(row.launches), row.milliseconds,
              row.launches ? row.milliseconds / row.launches : 0.0, share);
  };
  os << llvm::left_justify("kernel", width)
     << "  launches    total ms     mean ms   share\n";
  for (const auto &entry : rows)
    print(entry.first, entry.second);
  print("total", total);
  uint64_t current = 0, peak = 0;
  if (nmrtMemoryUsage(context, &current, &peak) != NMRT_OK)
    return makeError(nmrtLastError(context));
  os << "device memory at most: "
     << llvm::format("%.3f MiB\n", static_cast<double>(peak) / (1 << 20));
  return llvm::Error::success();
}

llvm::Error nm::writeCounters(nmrtContext *context, const std::string &path) {
  std::error_code code;
  llvm::raw_fd_ostream file(path, code, llvm::sys::fs::OF_Text);
  if (code)
    return makeError("cannot create `" + path + "`: " + code.message());
  llvm::json::OStream json(file, /*IndentSize=*/1);
  json.arrayBegin();
  llvm::Error error = forEachRecord(
      context,
      [&](uint64_t index, const nmrtKernelRecord &record) -> llvm::Error {
        const char *counters = nullptr;
        if (nmrtKernelRecordCounters(context, index, &counters) != NMRT_OK)
          return makeError(nmrtLastError(context));
        json.object([&] {
          json.attribute("kernel", record.name);
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
  if (error)
    return error;
  file.close();
  if (file.has_error()) {
    std::string reason = file.error().message();
    file.clear_error();
    return makeError("cannot write `" + path + "`: " + reason);
  }
  return llvm::Error::success();
}
