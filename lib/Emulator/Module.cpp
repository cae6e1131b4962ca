//===- Module.cpp - A parsed and decoded PTX text -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ties the parser and the decoder together behind the public classes.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "Program.h"

#include <atomic>
#include <new>

using namespace nm::emulator;

Kernel::Kernel(std::unique_ptr<KernelImpl> implementation)
    : implementation(std::move(implementation)) {}

Kernel::~Kernel() = default;

const std::string &Kernel::name() const { return implementation->name; }

size_t Kernel::parameterCount() const {
  return implementation->parameters.size();
}

uint64_t Kernel::parameterSize(size_t index) const {
  return implementation->parameters[index].size;
}

uint32_t Kernel::staticSharedBytes() const {
  return implementation->staticSharedBytes;
}

uint32_t Kernel::maxThreads() const {
  const uint32_t *limit = implementation->requiredBlock[0]
                              ? implementation->requiredBlock
                              : implementation->maxBlock;
  uint64_t threads = uint64_t(limit[0]) * limit[1];
  threads = threads <= 1024 ? threads * limit[2] : 1024;
  return static_cast<uint32_t>(threads <= 1024 ? threads : 1024);
}

Module::Module(std::unique_ptr<ModuleImpl> implementation)
    : implementation(std::move(implementation)) {}

Module::~Module() = default;

/// Parses and decodes into `module`. Returns false with the reason in `error`.
static bool read(std::string_view ptx, ModuleImpl &module, std::string &error) {
  static std::atomic<uint64_t> nextId{1};
  module.id = nextId++;
  module.syntax.text = std::string(ptx);
  if (!Parser(module.syntax).parse(error))
    return false;
  for (const ParsedKernel &syntax : module.syntax.kernels) {
    std::unique_ptr<KernelImpl> kernel = decodeKernel(syntax, error);
    if (!kernel)
      return false;
    module.kernels.push_back(std::make_unique<Kernel>(std::move(kernel)));
  }
  return true;
}

std::unique_ptr<Module> Module::parse(std::string_view ptx,
                                      std::string &error) {
  try {
    auto module = std::make_unique<ModuleImpl>();
    if (!read(ptx, *module, error))
      return nullptr;
    return std::unique_ptr<Module>(new Module(std::move(module)));
  } catch (const std::bad_alloc &) {
    error = "the host has no memory for this module";
    return nullptr;
  }
}

const Kernel *Module::findKernel(std::string_view name) const {
  for (const std::unique_ptr<Kernel> &kernel : implementation->kernels)
    if (kernel->name() == name)
      return kernel.get();
  return nullptr;
}

std::vector<std::string> Module::kernelNames() const {
  std::vector<std::string> names;
  for (const std::unique_ptr<Kernel> &kernel : implementation->kernels)
    names.push_back(kernel->name());
  return names;
}
