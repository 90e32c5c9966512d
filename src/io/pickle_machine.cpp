// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#include "io/pickle_machine.h"

#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include "base/error.h"
#include "io/little_endian.h"

namespace fluidsplat::io {
namespace {

// An array takes fewer than 100 instructions.  The limit also bounds how deep tuples can nest.
constexpr int kMaxInstructions = 1000;

enum class Global { reconstruct, from_buffer, ndarray, dtype, encode };

struct KnownGlobal {
  std::string_view module, name;
  Global value;
};

// NumPy 2 renamed numpy.core to numpy._core; protocol 5 rebuilds through _frombuffer.
constexpr KnownGlobal kKnownGlobals[] = {
    {"numpy.core.multiarray", "_reconstruct", Global::reconstruct},
    {"numpy._core.multiarray", "_reconstruct", Global::reconstruct},
    {"numpy.core.numeric", "_frombuffer", Global::from_buffer},
    {"numpy._core.numeric", "_frombuffer", Global::from_buffer},
    {"numpy", "ndarray", Global::ndarray},
    {"numpy", "dtype", Global::dtype},
    {"_codecs", "encode", Global::encode},
};

struct Value;
struct None {};
struct DTypeObject {
  std::string code;  // "f8"
  char order = '|';
};
struct ArrayObject {
  bool built = false;
  PickledArray array;
};
using Tuple = std::vector<Value>;

// Compound values are shared because the memo refers to them again.
struct Value : std::variant<None, bool, std::int64_t, std::string_view, PickleBytes, Global, std::shared_ptr<Tuple>,
                            std::shared_ptr<DTypeObject>, std::shared_ptr<ArrayObject>> {
  using variant::variant;
};

class Machine {
 public:
  Machine(std::span<const std::byte> pickle, const std::string& source) : rest_(pickle), source_(source) {}

  PickledArray run() {
    if (take<std::uint8_t>() != 0x80) refuse("it does not start with a protocol number (2 to 5)");
    const int protocol = take<std::uint8_t>();
    if (protocol < 2 || protocol > 5) refuse(fmt::format("protocol {} is not one of 2 to 5", protocol));
    for (int i = 0; i < kMaxInstructions; ++i) {
      const auto opcode = take<std::uint8_t>();
      if (opcode == '.') {
        auto* result = std::get_if<std::shared_ptr<ArrayObject>>(&top());
        if (!result || !(*result)->built) refuse("it does not hold a NumPy array");
        return (*result)->array;
      }
      step(opcode);
    }
    refuse("it holds more than one array");
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    fail("{}: not a pickle of one plain NumPy array: {}", source_, why);
  }

  // --- bytes of the file ---

  std::span<const std::byte> take_bytes(std::uint64_t count) {
    if (count > rest_.size()) refuse("the file ends early");
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  template <class T>
  T take() {
    return load_le<T>(take_bytes(sizeof(T)).data());
  }
  std::string_view take_text(std::uint64_t count) {
    const auto bytes = take_bytes(count);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::string_view take_line() {
    const std::string_view all(reinterpret_cast<const char*>(rest_.data()), rest_.size());
    const std::size_t end = all.find('\n');
    if (end == std::string_view::npos || end > 1000) refuse("the file ends early");
    const std::string_view line = take_text(end);
    take_bytes(1);
    return line;
  }

  // --- the stack ---

  Value& top() {
    if (stack_.empty()) refuse("its instructions do not fit together");
    return stack_.back();
  }
  Value pop() {
    Value value = std::move(top());
    stack_.pop_back();
    return value;
  }
  template <class T>
  T expect(const Value& value, const char* what) const {
    const T* found = std::get_if<T>(&value);
    if (!found) refuse(fmt::format("{} is missing", what));
    return *found;
  }
  // Python 2 writes its text as bytes.
  std::string_view expect_text(const Value& value, const char* what) const {
    if (const auto* bytes = std::get_if<PickleBytes>(&value))
      return {reinterpret_cast<const char*>(bytes->view.data()), bytes->view.size()};
    return expect<std::string_view>(value, what);
  }
  void make_tuple(std::size_t first) {
    if (first > stack_.size()) refuse("its instructions do not fit together");
    auto tuple = std::make_shared<Tuple>(std::make_move_iterator(stack_.begin() + std::ptrdiff_t(first)),
                                         std::make_move_iterator(stack_.end()));
    stack_.resize(first);
    stack_.emplace_back(std::move(tuple));
  }
  void make_short_tuple(std::size_t count) {
    if (stack_.size() < count) refuse("its instructions do not fit together");
    make_tuple(stack_.size() - count);
  }
  void recall(std::uint32_t index) {
    const auto found = memo_.find(index);
    if (found == memo_.end()) refuse("its instructions do not fit together");
    stack_.push_back(found->second);
  }
  void push_global(std::string_view module, std::string_view name) {
    for (const KnownGlobal& known : kKnownGlobals)
      if (known.module == module && known.name == name) return stack_.emplace_back(known.value), void();
    refuse(fmt::format("it asks for '{}.{}', which is not needed for an array and was not run", module, name));
  }

  void step(std::uint8_t opcode) {
    switch (opcode) {
      case 0x95:  // FRAME: a hint for buffered readers
        take<std::uint64_t>();
        return;
      case '(':
        return marks_.push_back(stack_.size());
      case 't': {
        if (marks_.empty()) refuse("its instructions do not fit together");
        const std::size_t first = marks_.back();
        marks_.pop_back();
        return make_tuple(first);
      }
      case ')':
        return make_short_tuple(0);
      case 0x85:
        return make_short_tuple(1);
      case 0x86:
        return make_short_tuple(2);
      case 0x87:
        return make_short_tuple(3);
      case 'N':
        return stack_.emplace_back(None{}), void();
      case 0x88:
        return stack_.emplace_back(true), void();
      case 0x89:
        return stack_.emplace_back(false), void();
      case 'J':
        return push_integer(take<std::int32_t>());
      case 'K':
        return push_integer(take<std::uint8_t>());
      case 'M':
        return push_integer(take<std::uint16_t>());
      case 0x8a:
        return push_long(take<std::uint8_t>());
      case 0x8c:
        return push_text(take<std::uint8_t>());
      case 'X':
        return push_text(take<std::uint32_t>());
      case 0x8d:
        return push_text(take<std::uint64_t>());
      case 'C':
      case 'U':
        return push_bytes(take<std::uint8_t>());
      case 'B':
      case 'T':
        return push_bytes(take<std::uint32_t>());
      case 0x8e:
      case 0x96:  // BYTEARRAY8
        return push_bytes(take<std::uint64_t>());
      case 'q':
        memo_[take<std::uint8_t>()] = top();
        return;
      case 'r':
        memo_[take<std::uint32_t>()] = top();
        return;
      case 0x94:  // MEMOIZE
        memo_.emplace(static_cast<std::uint32_t>(memo_.size()), top());
        return;
      case 'h':
        return recall(take<std::uint8_t>());
      case 'j':
        return recall(take<std::uint32_t>());
      case 'c': {
        const std::string_view module = take_line();
        return push_global(module, take_line());
      }
      case 0x93: {  // STACK_GLOBAL
        const Value name = pop(), module = pop();
        return push_global(expect_text(module, "a module name"), expect_text(name, "a name"));
      }
      case 'R':
        return reduce();
      case 'b':
        return build();
      default:
        refuse(fmt::format("the instruction 0x{:02x} is not needed for an array and was not run", opcode));
    }
  }

  void push_integer(std::int64_t value) { stack_.emplace_back(value); }
  void push_text(std::uint64_t size) { stack_.emplace_back(take_text(size)); }
  void push_bytes(std::uint64_t size) { stack_.emplace_back(PickleBytes{take_bytes(size), nullptr}); }
  void push_long(std::size_t size) {
    if (size > 8) refuse("an integer does not fit in 64 bits");
    const auto bytes = take_bytes(size);
    std::int64_t value = 0;
    std::memcpy(&value, bytes.data(), size);
    // The sign is the top bit of the last byte.
    if (size > 0 && size < 8 && (bytes.back() & std::byte{0x80}) != std::byte{0})
      value -= std::int64_t{1} << (8 * size);
    push_integer(value);
  }

  // --- the few calls that rebuild an array ---

  void reduce() {
    const Value arguments = pop(), function = pop();
    const Tuple& args = *expect<std::shared_ptr<Tuple>>(arguments, "a list of arguments");
    switch (expect<Global>(function, "a function")) {
      case Global::reconstruct:
        return stack_.emplace_back(std::make_shared<ArrayObject>()), void();
      case Global::dtype: {
        if (args.empty()) refuse("a data type has no name");
        auto dtype = std::make_shared<DTypeObject>();
        dtype->code = expect_text(args[0], "the name of a data type");
        return stack_.emplace_back(std::move(dtype)), void();
      }
      case Global::encode:
        return encode_latin1(args);
      case Global::from_buffer: {
        if (args.size() != 4) refuse("an array is described in an unknown way");
        auto object = std::make_shared<ArrayObject>();
        fill(*object, args[2], args[1], expect_text(args[3], "the axis order") == "F", args[0]);
        return stack_.emplace_back(std::move(object)), void();
      }
      case Global::ndarray:
        refuse("it calls numpy.ndarray, which is not how arrays are pickled");
    }
  }

  void build() {
    const Value argument = pop();
    const Tuple& state = *expect<std::shared_ptr<Tuple>>(argument, "the state of an object");
    if (const auto* dtype = std::get_if<std::shared_ptr<DTypeObject>>(&top())) {
      // (version, byte order, subarray, field names, fields, ...)
      if (state.size() < 5) refuse("a data type is described in an unknown way");
      for (std::size_t i = 2; i < 5; ++i)
        if (!std::holds_alternative<None>(state[i])) refuse("its elements are records, not plain numbers");
      const std::string_view order = expect_text(state[1], "a byte order");
      if (order.size() != 1) refuse("a byte order is missing");
      (*dtype)->order = order[0];
    } else {
      // (version, shape, data type, Fortran order, bytes)
      const auto object = expect<std::shared_ptr<ArrayObject>>(top(), "an array");
      if (state.size() != 5) refuse("an array is described in an unknown way");
      const auto* flag = std::get_if<bool>(&state[3]);
      const bool fortran = flag ? *flag : expect<std::int64_t>(state[3], "the axis order") != 0;
      fill(*object, state[1], state[2], fortran, state[4]);
    }
  }

  void fill(ArrayObject& object, const Value& shape, const Value& dtype, bool fortran, const Value& data) {
    NpyHeader& header = object.array.header;
    header = {};
    for (const Value& extent : *expect<std::shared_ptr<Tuple>>(shape, "the shape"))
      header.shape.push_back(expect<std::int64_t>(extent, "a dimension"));
    checked_count(header.shape, source_);
    const auto type = expect<std::shared_ptr<DTypeObject>>(dtype, "the data type");
    if (!set_npy_type(header, type->order + type->code))
      refuse(fmt::format("elements of type '{}' are not supported; use floats, integers or booleans", type->code));
    header.set_order(fortran);
    object.array.data = expect<PickleBytes>(data, "the data");
    if (object.array.data.view.size() != header.data_bytes())
      refuse(fmt::format("{} bytes of data for the shape {}", object.array.data.view.size(), shape_text(header.shape)));
    object.built = true;
  }

  // Protocol 2 has no bytes: Python 3 writes them as the text whose Latin-1 encoding they are.
  void encode_latin1(const Tuple& args) {
    if (args.size() != 2 || expect_text(args[1], "an encoding") != "latin1")
      refuse("it encodes text in another way than latin1");
    const auto text = expect<std::string_view>(args[0], "a text to encode");
    auto bytes = std::make_shared<std::vector<std::byte>>();
    bytes->reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
      auto code = static_cast<unsigned char>(text[i]);
      if (code >= 0x80) {
        // Two UTF-8 bytes 1100001x 10xxxxxx are the only way to write U+0080 to U+00FF.
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
        if ((code & 0xfe) != 0xc2 || (next & 0xc0) != 0x80) refuse("its bytes are not encoded as latin1");
        code = static_cast<unsigned char>(code << 6 | (next & 0x3f));
        ++i;
      }
      bytes->push_back(std::byte{code});
    }
    stack_.emplace_back(PickleBytes{*bytes, bytes});
  }

  std::span<const std::byte> rest_;
  const std::string& source_;
  std::vector<Value> stack_;
  std::vector<std::size_t> marks_;
  std::map<std::uint32_t, Value> memo_;
};

}  // namespace

PickledArray run_pickle(std::span<const std::byte> pickle, const std::string& source) {
  return Machine(pickle, source).run();
}

}  // namespace fluidsplat::io
