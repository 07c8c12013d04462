#pragma once

#include <cstdint>

namespace havln {

/// Arithmetic mean; values are summed in the order in which they come.
class Mean {
  public:
    void add(double value) {
        sum_ += value;
        ++count_;
    }
    std::uint64_t count() const { return count_; }
    /// 0 of nothing.
    double value() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0; }

  private:
    double sum_ = 0;
    std::uint64_t count_ = 0;
};

}  // namespace havln
