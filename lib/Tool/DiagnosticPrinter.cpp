//===- DiagnosticPrinter.cpp - How the tools print errors -----------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Tool/DiagnosticPrinter.h"

#include "mlir/IR/Operation.h"
#include "nm/Support/Locations.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace nm;

/// Longest line of source that is worth showing, in characters.
static constexpr size_t kLongestLine = 200;
/// Longest message: an op printed in one may hold weights.
static constexpr size_t kLongestMessage = 2000;

static llvm::SourceMgr::DiagKind getKind(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return llvm::SourceMgr::DK_Error;
  case DiagnosticSeverity::Warning:
    return llvm::SourceMgr::DK_Warning;
  case DiagnosticSeverity::Note:
    return llvm::SourceMgr::DK_Note;
  case DiagnosticSeverity::Remark:
    return llvm::SourceMgr::DK_Remark;
  }
  llvm_unreachable("all severities are above");
}

/// Who wrote `buffer`, if it is MLIR bytecode: the text after the magic number
/// and the version, which has one byte as long as it is below 128.
static std::optional<StringRef> getBytecodeProducer(StringRef buffer) {
  if (!buffer.consume_front("ML\xefR") || buffer.empty())
    return std::nullopt;
  buffer = buffer.drop_front();
  size_t end = buffer.take_front(kLongestLine).find('\0');
  if (end == StringRef::npos)
    return std::nullopt;
  return buffer.take_front(end);
}

DiagnosticPrinter::DiagnosticPrinter(llvm::SourceMgr &sources,
                                     MLIRContext *context, StringRef tool)
    : ScopedDiagnosticHandler(context), sources(sources), tool(tool) {
  context->printOpOnDiagnostic(false);
  setHandler([this](Diagnostic &diagnostic) {
    bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
    if (isError && errors)
      return;
    errors |= isError;
    print(diagnostic);
    for (Diagnostic &note : diagnostic.getNotes())
      print(note);
    if (isError)
      explainBytecode(diagnostic);
  });
}

/// Prints through the source manager if `loc` lies in the input file.
bool DiagnosticPrinter::printWithSource(const Diagnostic &diagnostic,
                                        FileLineColLoc loc, StringRef message) {
  if (sources.getNumBuffers() == 0)
    return false;
  unsigned id = sources.getMainFileID();
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(id);
  if (buffer->getBufferIdentifier() != loc.getFilename().strref())
    return false;
  llvm::SMLoc place =
      sources.FindLocForLineAndColumn(id, loc.getLine(), loc.getColumn());
  if (!place.isValid())
    return false;
  StringRef text = buffer->getBuffer();
  size_t at = place.getPointer() - text.data();
  size_t begin = text.rfind('\n', at == 0 ? 0 : at - 1) + 1;
  size_t end = std::min(text.find('\n', at), text.size());
  if (end - begin > kLongestLine)
    return false;
  sources.PrintMessage(llvm::errs(), place, getKind(diagnostic.getSeverity()),
                       message);
  return true;
}

void DiagnosticPrinter::print(const Diagnostic &diagnostic) {
  std::string message = diagnostic.str();
  if (message.size() > kLongestMessage)
    message = message.substr(0, kLongestMessage) + " ...";
  if (StringRef layer = getLayerName(diagnostic.getLocation()); !layer.empty())
    message = ("in `" + layer + "`: " + message).str();
  FileLineColLoc loc = findFile(diagnostic.getLocation());
  if (loc && printWithSource(diagnostic, loc, message))
    return;
  std::string place = loc ? getPlace(loc) : tool;
  llvm::SMDiagnostic(place, getKind(diagnostic.getSeverity()), message)
      .print(nullptr, llvm::errs());
}

void DiagnosticPrinter::explainBytecode(const Diagnostic &diagnostic) {
  FileLineColLoc loc = findFile(diagnostic.getLocation());
  // The reader of bytecode knows no lines.
  if (!loc || loc.getLine() != 0 || sources.getNumBuffers() == 0)
    return;
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  if (auto producer = getBytecodeProducer(buffer->getBuffer()))
    llvm::errs() << tool << ": the file is bytecode that `" << *producer
                 << "` wrote; " << tool << " reads that of `MLIR"
                 << LLVM_VERSION_STRING << "`, and text of either\n";
}
