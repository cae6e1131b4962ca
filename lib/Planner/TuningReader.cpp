//===- TuningReader.cpp - Reads a tuning database -------------------------===//
//
// Part of nm, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TuningReader.h"
#include "JSONPlace.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "nm/Support/JSON.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace nm;
namespace json = llvm::json;

namespace {
/// The text that is read.
struct Source {
  MLIRContext *context;
  StringRef name, text;

  InFlightDiagnostic emitError(JSONPlace place) const {
    return mlir::emitError(
        FileLineColLoc::get(context, name, place.line, place.column));
  }
};

/// For parsers whose own errors would name places within a string of JSON.
struct Silence : ScopedDiagnosticHandler {
  explicit Silence(MLIRContext *context)
      : ScopedDiagnosticHandler(context,
                                [](Diagnostic &) { return success(); }) {}
};

/// Brackets within brackets that an attribute of nm has at most, with some to
/// spare: a schedule holds a kind, which holds lists.
constexpr int kMostDepth = 8;

/// A value of the text and the way to it. What a `take` function expects and
/// does not find is an error at its place.
class Node {
public:
  Node(const Source &source, const json::Value &value,
       std::vector<JSONStep> path = {})
      : source(source), value(value), path(std::move(path)) {}

  InFlightDiagnostic emitError() const {
    return source.emitError(findJSONPlace(source.text, path));
  }

  FailureOr<Node> takeMember(StringRef key) const {
    const json::Object *object = value.getAsObject();
    if (!object)
      return emitError() << "expected an object";
    const json::Value *member = object->get(key);
    if (!member)
      return emitError() << "expected an object with \"" << key << "\"";
    return step(*member, {key});
  }

  FailureOr<std::vector<Node>> takeElements(StringRef key) const {
    FailureOr<Node> member = takeMember(key);
    if (failed(member))
      return failure();
    const json::Array *array = member->value.getAsArray();
    if (!array)
      return member->emitError() << "expected an array of " << key;
    std::vector<Node> elements;
    for (size_t i = 0; i < array->size(); ++i)
      elements.push_back(member->step((*array)[i], {"", i}));
    return elements;
  }

  FailureOr<int64_t> takeCount(StringRef key) const {
    FailureOr<Node> member = takeMember(key);
    if (failed(member))
      return failure();
    std::optional<int64_t> number = member->value.getAsInteger();
    if (!number || *number < 1)
      return member->emitError() << "expected a whole number of at least 1";
    return *number;
  }

  FailureOr<double> takeTime(StringRef key) const {
    FailureOr<Node> member = takeMember(key);
    if (failed(member))
      return failure();
    std::optional<double> number = member->value.getAsNumber();
    if (!number || !(*number > 0))
      return member->emitError() << "expected a number above 0";
    return *number;
  }

  FailureOr<std::string> takeText(StringRef key) const {
    FailureOr<Node> member = takeMember(key);
    if (failed(member))
      return failure();
    std::optional<StringRef> text = member->value.getAsString();
    if (!text || text->empty())
      return member->emitError() << "expected a string that is not empty";
    return text->str();
  }

  FailureOr<Type> takeType(StringRef key) const {
    FailureOr<std::string> text = takeText(key);
    if (failed(text))
      return failure();
    if (Type type = parseTypeOrNull(*text))
      return type;
    return emitErrorAt(key)
           << "expected an element type such as f16, got `" << *text << "`";
  }

  FailureOr<PatternAttr> takePattern(StringRef key) const {
    FailureOr<std::string> text = takeText(key);
    if (failed(text))
      return failure();
    if (PatternAttr pattern = parsePatternOrNull(*text))
      return pattern;
    return emitErrorAt(key)
           << "expected a pattern such as `#nm.pattern<2:4>`, got `" << *text
           << "`";
  }

  FailureOr<bool> takeIsFeatureMajor(StringRef key) const {
    FailureOr<std::string> text = takeText(key);
    if (failed(text))
      return failure();
    if (std::optional<Layout> layout = symbolizeLayout(*text))
      return *layout == Layout::FeatureMajor;
    return emitErrorAt(key)
           << "expected token_major or feature_major, got `" << *text << "`";
  }

private:
  Type parseTypeOrNull(StringRef text) const {
    // A name: what MLIR's parser makes of others is nothing to plan for.
    if (!llvm::all_of(text, llvm::isAlnum))
      return Type();
    Silence silence(source.context);
    return parseType(text, source.context);
  }

  PatternAttr parsePatternOrNull(StringRef text) const {
    if (!isAttributeOfNM(text))
      return PatternAttr();
    Silence silence(source.context);
    return dyn_cast_if_present<PatternAttr>(
        parseAttribute(text, source.context));
  }

  /// At the member `key`, which there is.
  InFlightDiagnostic emitErrorAt(StringRef key) const {
    return takeMember(key)->emitError();
  }

  Node step(const json::Value &next, JSONStep way) const {
    std::vector<JSONStep> longer = path;
    longer.push_back(way);
    return Node(source, next, std::move(longer));
  }

  const Source &source;
  const json::Value &value;
  std::vector<JSONStep> path;
};
} // namespace

bool nm::isAttributeOfNM(StringRef text) {
  if (!text.starts_with("#nm."))
    return false;
  int depth = 0;
  StringRef name;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (llvm::isAlnum(c) || StringRef("_.#").contains(c)) {
      size_t end = text.find_if_not(
          [](char d) { return llvm::isAlnum(d) || d == '_' || d == '.'; },
          i + 1);
      name = text.slice(i, end);
      i = std::min(end, text.size()) - 1;
      continue;
    }
    if (c == '<' && !name.starts_with("#nm."))
      return false;
    depth += c == '<' || c == '[' ? 1 : c == '>' || c == ']' ? -1 : 0;
    if (depth < 0 || depth > kMostDepth || !StringRef("<>[]=:,- ").contains(c))
      return false;
    if (c != ' ')
      name = "";
  }
  return depth == 0;
}

/// Lets `result` be what was taken, if it was.
template <typename T>
static LogicalResult store(FailureOr<T> taken, T &result) {
  if (failed(taken))
    return failure();
  result = std::move(*taken);
  return success();
}

static FailureOr<ProductInfo> readProduct(const Node &node) {
  ProductInfo product;
  int64_t n = 0, k = 0;
  Type weight;
  PatternAttr pattern;
  // The first that is wrong is said, and no other.
  if (failed(store(node.takeCount("m"), product.m)) ||
      failed(store(node.takeCount("n"), n)) ||
      failed(store(node.takeCount("k"), k)) ||
      failed(store(node.takeType("weight_type"), weight)) ||
      failed(store(node.takeType("a_type"), product.a)) ||
      failed(store(node.takeType("sum_type"), product.sum)) ||
      failed(store(node.takeType("c_type"), product.c)) ||
      failed(store(node.takePattern("pattern"), pattern)) ||
      failed(store(node.takeIsFeatureMajor("a_layout"),
                   product.isAFeatureMajor)) ||
      failed(
          store(node.takeIsFeatureMajor("c_layout"), product.isCFeatureMajor)))
    return failure();
  product.weight = CondensedType::getChecked([&] { return node.emitError(); },
                                             pattern.getContext(), k, n, weight,
                                             pattern, PackingAttr());
  if (!product.weight)
    return failure();
  return product;
}

static FailureOr<Measurement> readMeasurement(const Node &node) {
  std::string schedule, gpu;
  double microseconds = 0;
  if (failed(store(node.takeText("schedule"), schedule)) ||
      failed(store(node.takeTime("microseconds"), microseconds)) ||
      failed(store(node.takeText("gpu"), gpu)))
    return failure();
  // For people, who may want to throw an old time away.
  for (StringRef key : {"driver", "date", "commit"})
    if (failed(node.takeText(key)))
      return failure();
  return Measurement{std::move(schedule), microseconds, std::move(gpu)};
}

static FailureOr<TuningEntry> readEntry(const Node &node, StringRef source) {
  FailureOr<Node> key = node.takeMember("product");
  if (failed(key))
    return failure();
  FailureOr<std::string> chip = key->takeText("chip");
  if (failed(chip))
    return failure();
  FailureOr<ProductInfo> product = readProduct(*key);
  if (failed(product))
    return failure();
  FailureOr<std::vector<Node>> nodes = node.takeElements("measurements");
  if (failed(nodes))
    return failure();
  // Programs hold what remarks say: the same wherever the file lies.
  TuningEntry entry{
      llvm::sys::path::filename(source).str(), std::move(*chip), *product, {}};
  for (const Node &element : *nodes) {
    FailureOr<Measurement> measurement = readMeasurement(element);
    if (failed(measurement))
      return failure();
    entry.measurements.push_back(std::move(*measurement));
  }
  return entry;
}

/// Reports what llvm::json says as "[line:column, byte=n]: message".
static InFlightDiagnostic emitSyntaxError(const Source &source,
                                          llvm::Error error) {
  std::string said = llvm::toString(std::move(error));
  auto [place, message] = StringRef(said).split("]: ");
  JSONPlace at{1, 1};
  place.consume_front("[");
  place.consumeInteger(10, at.line);
  place.consume_front(":");
  place.consumeInteger(10, at.column);
  return source.emitError(at)
         << "malformed JSON: " << (message.empty() ? StringRef(said) : message);
}

FailureOr<std::vector<TuningEntry>>
nm::readTuningEntries(MLIRContext *context, StringRef source, StringRef text) {
  Source read{context, source, text};
  llvm::Expected<json::Value> parsed = parseJSON(text);
  if (!parsed)
    return emitSyntaxError(read, parsed.takeError());
  Node root(read, *parsed);
  FailureOr<int64_t> version = root.takeCount("version");
  if (failed(version))
    return failure();
  if (*version != kTuningVersion)
    return root.takeMember("version")->emitError()
           << "expected version " << kTuningVersion
           << " of the tuning database, got " << *version
           << "; measure again with nm-tune";
  FailureOr<std::vector<Node>> nodes = root.takeElements("entries");
  if (failed(nodes))
    return failure();
  std::vector<TuningEntry> entries;
  for (const Node &node : *nodes) {
    FailureOr<TuningEntry> entry = readEntry(node, source);
    if (failed(entry))
      return failure();
    entries.push_back(std::move(*entry));
  }
  return entries;
}
