//===- Diagnostics.cpp - How nm-compile prints errors ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
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

static FileLineColLoc findFile(Location loc) {
  FileLineColLoc found;
  loc->walk([&](Location part) {
    found = dyn_cast<FileLineColLoc>(part);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

DiagnosticPrinter::DiagnosticPrinter(llvm::SourceMgr &sources,
                                     MLIRContext *context)
    : ScopedDiagnosticHandler(context), sources(sources) {
  context->printOpOnDiagnostic(false);
  setHandler([this](Diagnostic &diagnostic) {
    bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
    if (isError && errors)
      return;
    errors |= isError;
    print(diagnostic);
    for (Diagnostic &note : diagnostic.getNotes())
      print(note);
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
  FileLineColLoc loc = findFile(diagnostic.getLocation());
  if (loc && printWithSource(diagnostic, loc, message))
    return;
  std::string place = "nm-compile";
  if (loc)
    place = (loc.getFilename().strref() + ":" + Twine(loc.getLine()) + ":" +
             Twine(loc.getColumn()))
                .str();
  llvm::SMDiagnostic(place, getKind(diagnostic.getSeverity()), message)
      .print(nullptr, llvm::errs());
}
