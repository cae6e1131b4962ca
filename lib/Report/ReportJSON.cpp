//===- ReportJSON.cpp - The report as JSON --------------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "nm/Report/Report.h"
#include "nm/Support/JSON.h"

#include "llvm/ADT/STLExtras.h"

using namespace nm;
namespace json = llvm::json;

template <typename T> static json::Value toJSON(const std::optional<T> &value) {
  return value ? json::Value(*value) : json::Value(nullptr);
}

/// Null for what was not reached, such as the kernel of an unscheduled product.
static json::Value orNull(const std::string &text) {
  return text.empty() ? json::Value(nullptr) : json::Value(text);
}

static json::Value toJSON(const WeightBytes &bytes) {
  return json::Object{
      {"dense", bytes.dense},     {"condensed", bytes.condensed},
      {"packed", bytes.packed},   {"values", bytes.values},
      {"padding", bytes.padding}, {"indices", bytes.indices}};
}

/// What tells a variant from its product.
static json::Object describeKernel(const ProductReport &product,
                                   const Report &report) {
  const KernelReport *kernel = report.findKernel(product.kernel);
  return json::Object{
      {"schedule", orNull(product.schedule)},
      {"shared_by", orNull(product.sharedBy)},
      {"reason", orNull(product.reason)},
      {"launch", orNull(product.launch)},
      {"kernel", orNull(product.kernel)},
      {"shared_memory_bytes",
       toJSON(kernel ? kernel->sharedMemoryBytes : std::nullopt)},
      {"weight", product.weight},
      {"packed_weight", product.packedWeight},
      {"packed_values", product.packedValues},
      {"weight_bytes", toJSON(product.bytes)}};
}

static json::Value toJSON(const ProductReport &product, const Report &report) {
  json::Array variants;
  for (const ProductReport &variant : product.variants) {
    json::Object described = describeKernel(variant, report);
    described["most_rows"] = toJSON(variant.mostRows);
    variants.push_back(std::move(described));
  }
  json::Object object = describeKernel(product, report);
  object.insert({"raised", true});
  object.insert({"location", product.location});
  object.insert({"function", product.function});
  object.insert({"name", product.name});
  object.insert({"weight_name", orNull(product.weightName)});
  object.insert({"op", product.op});
  object.insert({"pattern", product.pattern});
  object.insert({"element_type", product.elementType});
  object.insert({"shape", json::Object{{"m", toJSON(product.m)},
                                       {"n", product.n},
                                       {"k", product.k}}});
  object.insert({"a_layout", product.aLayout});
  object.insert({"c_layout", product.cLayout});
  object.insert({"fused", json::Array(product.fused)});
  object.insert({"together", json::Array(product.together)});
  object.insert({"variants", std::move(variants)});
  return object;
}

static json::Value toJSON(const CandidateReport &candidate) {
  return json::Object{{"raised", false},
                      {"location", candidate.location},
                      {"function", candidate.function},
                      {"name", orNull(candidate.name)},
                      {"weight_name", orNull(candidate.weightName)},
                      {"op", candidate.op},
                      {"shape", json::Object{{"m", toJSON(candidate.m)},
                                             {"n", toJSON(candidate.n)},
                                             {"k", toJSON(candidate.k)}}},
                      {"dense_bytes", toJSON(candidate.denseBytes)},
                      {"pattern", orNull(candidate.pattern)},
                      {"reason", candidate.reason}};
}

static json::Value toJSON(const KernelReport &kernel, const Report &report) {
  json::Array grid, block;
  for (unsigned i = 0; i < 3; ++i) {
    grid.push_back(toJSON(kernel.grid[i]));
    block.push_back(toJSON(kernel.block[i]));
  }
  bool isProduct = llvm::any_of(report.products, [&](const ProductReport &p) {
    return p.kernel == kernel.name ||
           llvm::any_of(p.variants, [&](const ProductReport &variant) {
             return variant.kernel == kernel.name;
           });
  });
  json::Object object{{"name", kernel.name},
                      {"layers", json::Array(kernel.layers)},
                      {"launches", json::Array(kernel.launches)},
                      {"product", isProduct},
                      {"grid", std::move(grid)},
                      {"block", std::move(block)},
                      {"shared_memory_bytes", toJSON(kernel.sharedMemoryBytes)},
                      {"bytes", toJSON(kernel.bytes)}};
  if (kernel.registers) {
    object["registers"] = *kernel.registers;
    object["spill_bytes"] = toJSON(kernel.spillBytes);
  }
  return object;
}

static json::Value toJSON(const HostReadReport &read) {
  return json::Object{{"function", read.function},
                      {"location", read.location},
                      {"type", read.type}};
}

static json::Value toJSON(const MemoryReport &memory) {
  return json::Object{{"arguments", toJSON(memory.arguments)},
                      {"constants", toJSON(memory.constants)},
                      {"buffers", toJSON(memory.buffers)},
                      {"live_maximum", toJSON(memory.getLiveMaximum())}};
}

static json::Value toJSON(const RunFacts &run) {
  json::Array kernels;
  for (const KernelTime &kernel : run.kernels)
    kernels.push_back(
        json::Object{{"name", kernel.name},
                     {"launches", kernel.launches},
                     {"milliseconds", kernel.milliseconds},
                     {"bytes", toJSON(kernel.bytes)},
                     {"floor_milliseconds", toJSON(kernel.floorMilliseconds)}});
  return json::Object{{"device", run.device},
                      {"function", run.function},
                      {"arguments", json::Array(run.arguments)},
                      {"results", json::Array(run.results)},
                      {"random_inputs", run.hasRandomInputs},
                      {"compile_milliseconds", run.compileMilliseconds},
                      {"call_milliseconds", json::Array(run.callMilliseconds)},
                      {"kernels", std::move(kernels)}};
}

/// Adds what a run knows to what the compilation said.
static json::Value addRun(json::Object run, llvm::StringRef compiled) {
  llvm::Expected<json::Value> parsed = parseJSON(compiled);
  if (!parsed || !parsed->getAsObject()) {
    llvm::consumeError(parsed.takeError());
    return run;
  }
  json::Object &whole = *parsed->getAsObject();
  for (llvm::StringRef key : {"input", "run", "device_memory"})
    whole[key] = std::move(run[key]);
  return std::move(*parsed);
}

json::Value nm::toJSON(const Report &report) {
  json::Array products, kernels, hostReads;
  for (const ProductReport &product : report.products)
    products.push_back(::toJSON(product, report));
  for (const CandidateReport &candidate : report.notRaised)
    products.push_back(::toJSON(candidate));
  for (const KernelReport &kernel : report.kernels)
    kernels.push_back(::toJSON(kernel, report));
  for (const HostReadReport &read : report.hostReads)
    hostReads.push_back(::toJSON(read));
  json::Object memory;
  for (const auto &[function, bytes] : report.memory)
    memory[function] = ::toJSON(bytes);
  json::Object totals{{"raised", int64_t(report.products.size())},
                      {"not_raised", int64_t(report.notRaised.size())},
                      {"kernels", int64_t(report.kernels.size())},
                      {"weight_bytes", ::toJSON(report.getTotalBytes())}};
  json::Value measured = nullptr;
  if (report.measured)
    measured = json::Object{{"peak", report.measured->peak},
                            {"live_maximum", report.measured->liveMaximum},
                            {"constants", report.measured->constants}};
  json::Object whole{
      {"nm_version", report.version},
      {"llvm_version", report.llvmVersion},
      {"input", report.input},
      {"chip", report.chip},
      {"constants", json::Array(report.constants)},
      {"products", std::move(products)},
      {"kernels", std::move(kernels)},
      {"host_reads", std::move(hostReads)},
      {"memory", std::move(memory)},
      {"device_memory", std::move(measured)},
      {"run", report.run ? ::toJSON(*report.run) : json::Value(nullptr)},
      {"totals", std::move(totals)}};
  return report.compiled.empty() ? json::Value(std::move(whole))
                                 : addRun(std::move(whole), report.compiled);
}
