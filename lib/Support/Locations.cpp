//===- Locations.cpp - What locations say to a reader ---------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Support/Locations.h"
#include "llvm/Support/Path.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// The first part of `loc` that is a `Kind`, or null.
template <typename Kind> static Kind findFirst(Location loc) {
  Kind found;
  loc->walk([&](Location part) {
    found = dyn_cast<Kind>(part);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

StringRef nm::getLayerName(Location loc) {
  auto named = findFirst<NameLoc>(loc);
  return named ? named.getName().strref() : "";
}

Location nm::joinLayers(MLIRContext *context, ArrayRef<Location> locations) {
  SmallVector<StringRef> layers;
  for (Location location : locations)
    if (StringRef layer = getLayerName(location); !layer.empty())
      layers.push_back(layer);
  Location joined = FusedLoc::get(context, locations);
  if (layers.empty())
    return joined;
  return NameLoc::get(StringAttr::get(context, llvm::join(layers, " + ")),
                      joined);
}

FileLineColLoc nm::findFile(Location loc) {
  return findFirst<FileLineColLoc>(loc);
}

std::string nm::getPlace(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (FileLineColLoc file = findFile(loc)) {
    os << file.getFilename().strref() << ":" << file.getLine();
    if (file.getColumn() != 0)
      os << ":" << file.getColumn();
  } else {
    os << loc;
  }
  return text;
}

std::string nm::getShortPlace(Location loc) {
  FileLineColLoc file = findFile(loc);
  if (!file)
    return "";
  StringRef name = llvm::sys::path::filename(file.getFilename().strref());
  return (" (" + name + ":" + Twine(file.getLine()) + ")").str();
}

std::string nm::addPlace(StringRef message, Location loc) {
  std::string text;
  if (StringRef layer = getLayerName(loc); !layer.empty())
    text = ("in `" + layer + "`: ").str();
  text += message;
  return text + getShortPlace(loc);
}
