//===- BytecodeVersion.cpp - Which nm wrote a bytecode file ---------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BytecodeVersion.h"
#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace nm;

namespace {
struct BytecodeVersion : BytecodeDialectInterface {
  explicit BytecodeVersion(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(DialectBytecodeWriter &writer) const override {
    writer.writeOwnedString(NM_VERSION);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    StringRef version;
    if (failed(reader.readString(version)))
      return nullptr;
    if (version != NM_VERSION) {
      reader.emitError() << "expected bytecode of nm " NM_VERSION
                            ", got that of nm "
                         << version
                         << "; let that version print it as text (docs/"
                            "Versioning.md)";
      return nullptr;
    }
    return std::make_unique<DialectVersion>();
  }
};
} // namespace

void nm::addBytecodeVersion(NMDialect &dialect) {
  dialect.addInterfaces<BytecodeVersion>();
}
