//===- Fields.h - What lies where in nm.program -----------------*- C++ -*-===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fields of a program in the order of the file, for reader and writer
// alike: an archive is called with each. docs/Program.md has them as a table.
//
//===----------------------------------------------------------------------===//

#ifndef NM_LIB_PROGRAM_FIELDS_H
#define NM_LIB_PROGRAM_FIELDS_H

#include "nm/Program/File.h"

namespace nm {
namespace program {

/// Before the fields: what the bytes are, format version, zero, bytes of the
/// whole (this header included, a multiple of kAlignment), and their checksum
/// from `kHeaderBytes` on.
inline constexpr char kMagic[8] = {'\x89', 'n', 'm', 'p', 'r', 'g', '\r', '\n'};
inline constexpr size_t kHeaderBytes = 40;
/// Of the first constant in the file.
inline constexpr uint64_t kAlignment = 256;

/// What the file says of a constant besides its data.
struct ConstantFields {
  uint64_t bytes = 0;
  Checksum checksum = {};
};

template <typename Archive, typename Value>
void transferType(Archive &archive, Value &type) {
  archive.element(type.element);
  archive.list(type.shape, [&](auto &extent) { archive.number(extent); });
  archive.flag(type.isScalar);
}

template <typename Archive, typename F>
void transferFunction(Archive &archive, F &function) {
  archive.text(function.name);
  archive.number(function.numberParameters);
  archive.number(function.bufferParameters);
  archive.number(function.numberResults);
  archive.number(function.bufferResults);
  archive.number(function.numbers);
  archive.number(function.buffers);
  archive.list(function.constants, [&](auto &value) { archive.number(value); });
  archive.list(function.code, [&](auto &word) { archive.number(word); });
}

template <typename Archive, typename K>
void transferKernel(Archive &archive, K &kernel) {
  archive.text(kernel.name);
  archive.list(kernel.parameters, [&](auto &parameter) {
    archive.flag(parameter.isBuffer);
    archive.number(parameter.bytes);
  });
  for (auto &extent : kernel.cluster)
    archive.number(extent);
  archive.flag(kernel.isDependent);
}

template <typename Archive, typename L>
void transferLayout(Archive &archive, L &layout) {
  archive.number(layout.packing.blockN);
  archive.number(layout.packing.stepK);
  archive.number(layout.packing.panels);
  archive.number(layout.packing.laneRows);
  archive.choice(layout.packing.coding, layout::IndexCoding::Bits);
  archive.flag(layout.packing.fragments);
  archive.number(layout.packing.positionRows);
  archive.number(layout.packing.valueRows);
  archive.number(layout.packing.valueColumns);
  archive.order(layout.order);
  archive.number(layout.orderedRows);
}

template <typename Archive, typename W>
void transferWeight(Archive &archive, W &weight) {
  archive.element(weight.element);
  archive.number(weight.weight.k);
  archive.number(weight.weight.n);
  archive.number(weight.weight.pattern.keep);
  archive.number(weight.weight.pattern.window);
  archive.number(weight.weight.pattern.unitK);
  archive.number(weight.weight.pattern.unitN);
  archive.list(weight.layouts, [&](auto &arrays) {
    transferLayout(archive, arrays.layout);
    archive.number(arrays.values);
    archive.number(arrays.indices);
  });
}

template <typename Archive, typename E>
void transferEntry(Archive &archive, E &entry) {
  archive.text(entry.name);
  archive.list(entry.arguments,
               [&](auto &type) { transferType(archive, type); });
  archive.list(entry.results, [&](auto &result) {
    transferType(archive, result.type);
    archive.choice(result.place, ResultPlace::Allocated);
  });
  archive.list(entry.argumentNames, [&](auto &name) { archive.text(name); });
  archive.list(entry.resultNames, [&](auto &name) { archive.text(name); });
  archive.list(entry.initialState, [&](auto &index) { archive.number(index); });
  archive.list(entry.weights,
               [&](auto &weight) { transferWeight(archive, weight); });
  archive.number(entry.run);
  archive.number(entry.plan);
}

/// `fields` is as long as the program's constants, or becomes so.
template <typename Archive, typename P, typename C>
void transferProgram(Archive &archive, P &program, C &fields) {
  archive.text(program.version);
  archive.text(program.llvmVersion);
  archive.text(program.source);
  archive.text(program.chip);
  archive.text(program.report);
  archive.list(program.images, [&](auto &image) {
    archive.choice(image.kind, ImageKind::Cubin);
    archive.text(image.chip);
    archive.text(image.bytes);
  });
  size_t index = 0;
  archive.list(program.constants, [&](auto &constant) {
    archive.text(constant.name);
    archive.element(constant.element);
    archive.list(constant.extents,
                 [&](auto &extent) { archive.number(extent); });
    archive.choice(constant.kind, ConstantKind::Initial);
    archive.constant(fields, index++);
  });
  archive.list(program.kernels,
               [&](auto &kernel) { transferKernel(archive, kernel); });
  archive.list(program.texts, [&](auto &text) { archive.text(text); });
  archive.list(program.functions,
               [&](auto &function) { transferFunction(archive, function); });
  archive.list(program.entries,
               [&](auto &entry) { transferEntry(archive, entry); });
}

} // namespace program
} // namespace nm

#endif // NM_LIB_PROGRAM_FIELDS_H
