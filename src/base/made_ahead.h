// SPDX-FileCopyrightText: The fluidsplat authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "base/index.h"

namespace fluidsplat {

// The values of a function, made by a thread of its own before they are asked for.
template <class Key, class Value>
class MadeAhead {
 public:
  using Make = std::function<Value(const Key&)>;
  using Next = std::function<std::optional<Key>(const Key&)>;  // what will be asked for after a key
  // At most `depth` values wait to be asked for.
  MadeAhead(Make make, Next next, Index depth)
      : make_(std::move(make)), next_(std::move(next)), depth_(depth), maker_([this] { work(); }) {}
  ~MadeAhead() {
    {
      const Lock lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    maker_.join();
  }
  MadeAhead(const MadeAhead&) = delete;
  MadeAhead& operator=(const MadeAhead&) = delete;

  // Throws what making it threw.  One that was not foreseen is made now, and what was foreseen is dropped.
  Value take(const Key& key) {
    Lock lock(mutex_);
    if (!foreseen(key)) {
      made_.clear();
      to_make_ = key;
      ++turn_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return !made_.empty(); });
    auto front = std::move(made_.front());
    made_.pop_front();
    changed_.notify_all();
    if (front.failure) std::rethrow_exception(front.failure);
    return std::move(*front.value);
  }

 private:
  using Lock = std::unique_lock<std::mutex>;
  struct Made {
    Key key;
    std::optional<Value> value;
    std::exception_ptr failure;
  };

  // Whether the key is the next that comes out.
  bool foreseen(const Key& key) const { return made_.empty() ? to_make_ == key : made_.front().key == key; }

  void work() {
    Lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return stopping_ || (to_make_ && Index(made_.size()) < depth_); });
      if (stopping_) return;
      Made made{*to_make_, {}, {}};
      const auto turn = turn_;
      lock.unlock();
      try {
        made.value = make_(made.key);
      } catch (...) {
        made.failure = std::current_exception();
      }
      lock.lock();
      if (turn != turn_) continue;  // nobody will ask for it
      to_make_ = made.failure ? std::nullopt : next_(made.key);
      made_.push_back(std::move(made));
      changed_.notify_all();
    }
  }

  const Make make_;
  const Next next_;
  const Index depth_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Made> made_;
  std::optional<Key> to_make_;
  Index turn_ = 0;
  bool stopping_ = false;
  std::thread maker_;
};

}  // namespace fluidsplat
