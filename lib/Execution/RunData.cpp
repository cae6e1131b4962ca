//===- RunData.cpp - Inputs and outputs of nm-run -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunData.h"

#include "RandomWeights.h"

#include "nm/Numbers/TensorFile.h"
#include "nm/Support/JSON.h"
#include "nm/Tool/ToolFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"

#include <new>

using namespace nm;

/// In the directory for results: what each of the other files holds.
static constexpr llvm::StringLiteral kResultsFile = "results.json";

static llvm::Error checkCount(llvm::StringRef option, size_t actual,
                              size_t expected) {
  if (actual == 0 || actual == expected)
    return llvm::Error::success();
  return llvm::createStringError("expected none or " + llvm::Twine(expected) +
                                 " " + option + ", got " + llvm::Twine(actual));
}

llvm::Error nm::checkFileCounts(const RunOptions &options,
                                const Signature &signature, size_t states) {
  size_t arguments = signature.arguments.size();
  size_t results = signature.results.size();
  if (options.inputs.size() != arguments)
    if (auto error =
            checkCount("--input", options.inputs.size(), arguments - states))
      return error;
  if (auto error = checkCount("--output", options.outputs.size(), results))
    return error;
  return checkCount("--expect", options.expected.size(), results);
}

static std::string getResultPath(const std::string &directory,
                                 llvm::StringRef name) {
  return directory + "/" + name.str();
}

static std::string getResultName(size_t index) {
  return std::to_string(index) + ".npy";
}

/// The files that results.json says an earlier run wrote; nothing where it was
/// not written by one.
static std::optional<std::vector<std::string>>
readEarlierResults(const std::string &directory) {
  auto buffer = llvm::MemoryBuffer::getFile(
      getResultPath(directory, kResultsFile), /*IsText=*/true);
  if (!buffer)
    return std::vector<std::string>();
  auto parsed = parseJSON((*buffer)->getBuffer());
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  const llvm::json::Array *entries = parsed->getAsArray();
  if (!entries)
    return std::nullopt;
  std::vector<std::string> names;
  for (auto [index, entry] : llvm::enumerate(*entries)) {
    const llvm::json::Object *object = entry.getAsObject();
    if (!object || object->getString("file") != getResultName(index) ||
        !object->getString("type") || !object->getArray("shape"))
      return std::nullopt;
    names.push_back(getResultName(index));
  }
  return names;
}

/// Files that some other program wrote are not written over.
static llvm::Error checkDirectory(const std::string &directory,
                                  size_t results) {
  auto refuse = [&](llvm::StringRef name) {
    return llvm::createStringError("expected --output-dir of an earlier run, "
                                   "or without such files, got `" +
                                   getResultPath(directory, name) +
                                   "`, which nm-run did not write");
  };
  auto earlier = readEarlierResults(directory);
  if (!earlier)
    return refuse(kResultsFile);
  for (size_t index = earlier->size(); index < results; ++index)
    if (llvm::sys::fs::exists(getResultPath(directory, getResultName(index))))
      return refuse(getResultName(index));
  return llvm::Error::success();
}

llvm::Error nm::checkFiles(const RunOptions &options,
                           const Signature &signature) {
  std::vector<NamedFile> inputs = {{"the module", options.module},
                                   {"--weights", options.weights}},
                         outputs;
  for (const std::string &path : options.inputs)
    inputs.push_back({"--input", path});
  for (const std::string &path : options.expected)
    inputs.push_back({"--expect", path});
  for (const std::string &path : options.outputs) {
    if (path == "-")
      return llvm::createStringError(
          "expected a file for --output, got `-`: the standard output has what "
          "nm-run says (--output=./- is a file of that name)");
    outputs.push_back({"--output", path});
  }
  outputs.push_back({"--report", options.report});
  outputs.push_back({"--counters", options.counters});
  if (!options.outputDirectory.empty()) {
    size_t results = signature.results.size();
    if (auto error = checkDirectory(options.outputDirectory, results))
      return error;
    auto add = [&](llvm::StringRef name) {
      outputs.push_back(
          {"--output-dir", getResultPath(options.outputDirectory, name)});
    };
    add(kResultsFile);
    for (size_t index = 0; index < results; ++index)
      add(getResultName(index));
  }
  return checkDistinct(outputs, inputs);
}

/// Whether an array may be given for the type, but for the element type.
static bool hasShapeOf(const ValueType &type, const Tensor &tensor) {
  if (tensor.shape.size() != type.shape.size())
    return false;
  for (auto [actual, expected] : llvm::zip(tensor.shape, type.shape))
    if (expected >= 0 && actual != expected)
      return false;
  return true;
}

static llvm::Expected<Tensor> readFile(const std::string &path,
                                       const ValueType &type) {
  if (llvm::Error unreadable = checkReadable(path))
    return unreadable;
  std::string error;
  std::optional<Tensor> tensor =
      isNpyPath(path) ? readNpy(path, error, type.element)
                      : readRaw(path, type.element, type.shape, error);
  if (!tensor)
    return llvm::createStringError(error);
  if (!hasShapeOf(type, *tensor))
    return llvm::createStringError("`" + path + "`: expected " + type.str() +
                                   ", got " +
                                   toString(tensor->shape, tensor->type));
  return std::move(*tensor);
}

static llvm::Expected<Tensor> readInput(const std::string &path,
                                        const ValueType &type) {
  auto tensor = readFile(path, type);
  if (!tensor)
    return tensor;
  std::string error;
  std::optional<Tensor> converted = convert(*tensor, type.element, error);
  if (!converted)
    return llvm::createStringError("`" + path + "`: " + error);
  return std::move(*converted);
}

static llvm::Expected<Tensor> makeRandom(const ValueType &type, uint64_t seed,
                                         std::optional<int64_t> dynamicSize) {
  std::vector<int64_t> shape = type.shape;
  for (int64_t &extent : shape) {
    if (extent >= 0)
      continue;
    if (!dynamicSize)
      return llvm::createStringError(
          "expected --input or --dynamic-size, got neither for " + type.str());
    extent = *dynamicSize;
  }
  std::optional<int64_t> bytes = countElements(shape, sizeOf(type.element));
  if (!bytes)
    return llvm::createStringError("expected a size that fits 64 bits, got " +
                                   toString(shape, type.element));
  try {
    Tensor tensor = makeTensor(type.element, shape);
    fillRandom(tensor, seed);
    return tensor;
  } catch (const std::bad_alloc &) {
    return llvm::createStringError("no host memory for an input " +
                                   toString(shape, type.element) + " of " +
                                   llvm::Twine(*bytes) + " bytes");
  }
}

llvm::Expected<std::vector<Tensor>> nm::loadInputs(const RunOptions &options,
                                                   const Signature &signature,
                                                   std::vector<Tensor> state) {
  std::vector<Tensor> inputs;
  if (options.inputs.size() != signature.arguments.size())
    inputs = std::move(state);
  size_t known = inputs.size();
  for (size_t index = known; index < signature.arguments.size(); ++index) {
    const ValueType &type = signature.arguments[index];
    // Different arguments of one type get different numbers.
    auto input = options.inputs.empty()
                     ? makeRandom(type, options.seed + (uint64_t(index) << 32),
                                  options.dynamicSize)
                     : readInput(options.inputs[index - known], type);
    if (!input)
      return llvm::createStringError("input #" + llvm::Twine(index) + ": " +
                                     llvm::toString(input.takeError()));
    inputs.push_back(std::move(*input));
  }
  if (options.inputs.empty())
    fillRandomWeights(signature, options.seed, inputs);
  return inputs;
}

/// Writes results.json and one .npy file a result.
static llvm::Error writeToDirectory(const std::string &directory,
                                    const Signature &signature,
                                    llvm::ArrayRef<Tensor> results) {
  if (std::error_code code = llvm::sys::fs::create_directories(directory))
    return llvm::createStringError("cannot create `" + directory +
                                   "`: " + code.message());
  // What an earlier run had more of would be taken for a result.
  auto earlier = readEarlierResults(directory);
  for (size_t i = results.size(); earlier && i < earlier->size(); ++i)
    llvm::consumeError(llvm::errorCodeToError(
        llvm::sys::fs::remove(getResultPath(directory, (*earlier)[i]))));
  std::string list = getResultPath(directory, kResultsFile);
  std::error_code code;
  llvm::raw_fd_ostream file(list, code);
  if (code)
    return llvm::createStringError("cannot create `" + list +
                                   "`: " + code.message());
  llvm::json::Array entries;
  for (auto [index, result] : llvm::enumerate(results)) {
    std::string name = getResultName(index), error;
    if (!writeNpy(getResultPath(directory, name), result, error))
      return llvm::createStringError("output #" + llvm::Twine(index) + ": " +
                                     error);
    llvm::json::Object entry{{"file", name},
                             {"type", toString(result.type)},
                             {"shape", result.shape}};
    if (index < signature.resultNames.size() &&
        !signature.resultNames[index].empty())
      entry["name"] = signature.resultNames[index];
    entries.push_back(std::move(entry));
  }
  file << llvm::json::Value(std::move(entries)) << "\n";
  return llvm::Error::success();
}

llvm::Error nm::writeOutputs(const RunOptions &options,
                             const Signature &signature,
                             llvm::ArrayRef<Tensor> results) {
  if (!options.outputDirectory.empty())
    if (auto error =
            writeToDirectory(options.outputDirectory, signature, results))
      return error;
  for (auto [index, path] : llvm::enumerate(options.outputs)) {
    std::string error;
    if (isNpyPath(path) ? !writeNpy(path, results[index], error)
                        : !writeRaw(path, results[index], error))
      return llvm::createStringError("output #" + llvm::Twine(index) + ": " +
                                     error);
  }
  return llvm::Error::success();
}

llvm::Expected<bool> nm::checkResults(const RunOptions &options,
                                      llvm::ArrayRef<Tensor> results,
                                      llvm::raw_ostream &os) {
  bool allGood = true;
  for (auto [index, path] : llvm::enumerate(options.expected)) {
    const Tensor &result = results[index];
    auto expected = readFile(path, {result.type, result.shape});
    if (!expected)
      return llvm::createStringError("expected result #" + llvm::Twine(index) +
                                     ": " +
                                     llvm::toString(expected.takeError()));
    std::string error;
    std::optional<Tensor> converted = convert(*expected, result.type, error);
    if (!converted)
      return llvm::createStringError("expected result #" + llvm::Twine(index) +
                                     ": `" + path + "`: " + error);
    // Numbers are compared as exactly as the file has them.
    bool areBytes = sizeOf(result.type) == 1;
    ErrorNorms norms = compare(result, areBytes ? *converted : *expected);
    double tolerance =
        options.tolerance.value_or(getNumericType(result.type).tolerance);
    bool isGood = norms.relativeFrobenius <= tolerance;
    allGood &= isGood;
    os << "result #" << index << ": " << toString(result.shape, result.type)
       << ", relative error " << llvm::format("%.3g", norms.relativeFrobenius)
       << ", largest difference " << llvm::format("%.3g", norms.maxAbsolute);
    if (norms.invalid != 0)
      os << ", " << norms.invalid << " places NaN or infinite in one only";
    os << ", tolerance " << llvm::format("%.3g", tolerance) << ": "
       << (isGood ? "ok" : "FAILED") << "\n";
  }
  return allGood;
}
