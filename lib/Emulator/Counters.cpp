//===- Counters.cpp - What a launch executed ------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums, and the counters as JSON.
//
//===----------------------------------------------------------------------===//

#include "nm/Emulator/Counters.h"

#include <cstdio>

using namespace nm::emulator;

/// The sum of one number over the rows of a table.
template <class Row>
static uint64_t sum(const std::vector<Row> &rows, uint64_t Row::*number) {
  uint64_t result = 0;
  for (const Row &row : rows)
    result += row.*number;
  return result;
}

uint64_t Counters::sharedRequests() const {
  return sum(shared, &SharedCounts::requests);
}

uint64_t Counters::sharedWavefronts() const {
  return sum(shared, &SharedCounts::wavefronts);
}

uint64_t Counters::sharedIdealWavefronts() const {
  return sum(shared, &SharedCounts::idealWavefronts);
}

uint64_t Counters::globalRequests() const {
  return sum(global, &GlobalCounts::requests);
}

uint64_t Counters::globalSectors() const {
  return sum(global, &GlobalCounts::sectors);
}

ExecutionCount Counters::executed(const std::string &opcode) const {
  ExecutionCount sum;
  for (auto row = byOpcode.lower_bound(opcode); row != byOpcode.end(); ++row) {
    if (row->first.compare(0, opcode.size(), opcode) != 0)
      break;
    if (row->first.size() != opcode.size() && row->first[opcode.size()] != '.')
      continue;
    sum.warps += row->second.warps;
    sum.lanes += row->second.lanes;
  }
  return sum;
}

namespace {

/// Writes one JSON value after the other, with the commas.
class Writer {
public:
  void begin(const char *name, char bracket) {
    key(name);
    text += bracket;
    isFirst = true;
  }
  void end(char bracket) {
    text += bracket;
    isFirst = false;
  }
  void number(const char *name, uint64_t value) {
    key(name);
    text += std::to_string(value);
  }
  void flag(const char *name, bool value) {
    key(name);
    text += value ? "true" : "false";
  }
  void string(const char *name, const std::string &value) {
    key(name);
    quote(value);
  }
  void count(const char *name, const ExecutionCount &value) {
    begin(name, '{');
    number("warps", value.warps);
    number("lanes", value.lanes);
    end('}');
  }
  std::string text;

private:
  void key(const char *name) {
    if (!isFirst)
      text += ", ";
    isFirst = false;
    if (name) {
      quote(name);
      text += ": ";
    }
  }
  void quote(const std::string &value) {
    text += '"';
    for (char c : value) {
      char escaped[8];
      if (c == '"' || c == '\\') {
        text += '\\';
        text += c;
      } else if (static_cast<unsigned char>(c) < 32) {
        std::snprintf(escaped, sizeof(escaped), "\\u%04x", c);
        text += escaped;
      } else {
        text += c;
      }
    }
    text += '"';
  }
  bool isFirst = true;
};

void writeLoop(Writer &writer, const LoopCounts &loop) {
  writer.begin("mainLoop", '{');
  writer.number("firstLine", loop.firstLine);
  writer.number("lastLine", loop.lastLine);
  writer.number("iterations", loop.iterations);
  writer.begin("staticCounts", '{');
  for (const auto &row : loop.staticCounts)
    writer.number(row.first.c_str(), row.second);
  writer.end('}');
  writer.begin("executed", '{');
  for (const auto &row : loop.executed)
    writer.count(row.first.c_str(), row.second);
  writer.end('}');
  writer.end('}');
}

void writeAccesses(Writer &writer, const Counters &counters) {
  writer.begin("shared", '[');
  for (const SharedCounts &row : counters.shared) {
    writer.begin(nullptr, '{');
    writer.number("line", row.line);
    writer.string("opcode", row.opcode);
    writer.flag("isWrite", row.isWrite);
    writer.number("bytesPerLane", row.bytesPerLane);
    writer.number("requests", row.requests);
    writer.number("wavefronts", row.wavefronts);
    writer.number("idealWavefronts", row.idealWavefronts);
    writer.number("bankConflicts", row.bankConflicts());
    writer.end('}');
  }
  writer.end(']');
  writer.begin("global", '[');
  for (const GlobalCounts &row : counters.global) {
    writer.begin(nullptr, '{');
    writer.number("line", row.line);
    writer.string("opcode", row.opcode);
    writer.flag("isWrite", row.isWrite);
    writer.number("bytesPerLane", row.bytesPerLane);
    writer.number("requests", row.requests);
    writer.number("sectors", row.sectors);
    writer.end('}');
  }
  writer.end(']');
}

} // namespace

std::string Counters::toJSON() const {
  Writer writer;
  writer.begin(nullptr, '{');
  writer.string("kernel", kernel);
  writer.number("blocks", blocks);
  writer.number("threadsPerBlock", threadsPerBlock);
  writer.number("sharedBytes", sharedBytes);
  writer.count("total", total);
  writer.begin("byOpcode", '{');
  for (const auto &row : byOpcode)
    writer.count(row.first.c_str(), row.second);
  writer.end('}');
  writeLoop(writer, mainLoop);
  writeAccesses(writer, *this);
  writer.begin("instructions", '[');
  for (const InstructionCounts &row : instructions) {
    writer.begin(nullptr, '{');
    writer.number("line", row.line);
    writer.string("opcode", row.opcode);
    writer.string("text", row.text);
    writer.number("warps", row.count.warps);
    writer.number("lanes", row.count.lanes);
    writer.end('}');
  }
  writer.end(']');
  writer.end('}');
  return writer.text;
}
