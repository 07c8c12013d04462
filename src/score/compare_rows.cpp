#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "havln/error.h"
#include "score/statistics.h"

namespace havln {

namespace {

/// Rounding of sums in another order must not turn an equal difference into a smaller one:
/// differences count as equal within this share of the compared values.
constexpr double kRounding = 1e-12;

using Values = std::vector<double>;

/// A quantity's values on both sides.
struct Pair {
    Values a, b;

    Values difference() const {
        Values d(a.size());
        for (std::size_t k = 0; k < d.size(); ++k) d[k] = b[k] - a[k];
        return d;
    }
};

/// Sums of rows that give the compared quantities, by name.
/// Sums: add(row) and values(); MakeSums: () -> Sums.
template <typename Row, typename MakeSums>
class Comparison {
  public:
    Comparison(std::span<const Row> a, std::span<const Row> b, std::vector<std::string> names,
               MakeSums make_sums, const ResamplingOptions& options)
        : a_(a),
          b_(b),
          names_(std::move(names)),
          make_sums_(std::move(make_sums)),
          options_(options) {
        HAVLN_CHECK(!a.empty() && a.size() == b.size());
        HAVLN_CHECK(options.samples >= 1 && options.level > 0 && options.level < 1);
        for (std::size_t k = 0; k < a.size(); ++k) {
            if (!(a[k] == b[k])) differing_.push_back(k);
        }
    }

    /// @param primary  index into the names. @param success  success of a row, 0 or 1.
    template <typename Success>
    PairedComparison run(std::size_t primary, const Success& success) const {
        PairedComparison result;
        result.options = options_;
        fill_components(result);
        fill_intervals(result);
        fill_p_values(result);
        fill_effects(result, primary, success);
        return result;
    }

  private:
    /// Both sides where the outcomes of the differing episodes are exchanged as told.
    Pair values(const std::vector<std::uint8_t>& exchanged) const {
        auto a = make_sums_(), b = make_sums_();
        std::size_t next = 0;
        for (std::size_t k = 0; k < a_.size(); ++k) {
            const bool differs = next < differing_.size() && differing_[next] == k;
            const bool exchange = differs && exchanged[next++] != 0;
            a.add(exchange ? b_[k] : a_[k]);
            b.add(exchange ? a_[k] : b_[k]);
        }
        return {a.values(), b.values()};
    }

    Pair observed() const { return values(std::vector<std::uint8_t>(differing_.size())); }

    void fill_components(PairedComparison& result) const {
        const Pair pair = observed();
        for (std::size_t k = 0; k < names_.size(); ++k) {
            ComponentDifference& d = result.components[names_[k]];
            d.a = pair.a[k];
            d.b = pair.b[k];
            d.difference = d.b - d.a;
        }
    }

    void fill_intervals(PairedComparison& result) const {
        Random random(options_.seed);
        std::vector<Values> drawn(names_.size());
        std::vector<std::size_t> indices;
        for (std::uint64_t sample = 0; sample < options_.samples; ++sample) {
            resample(random, a_.size(), indices);
            auto a = make_sums_(), b = make_sums_();
            for (const std::size_t index : indices) {
                a.add(a_[index]);
                b.add(b_[index]);
            }
            const Values d = Pair{a.values(), b.values()}.difference();
            for (std::size_t k = 0; k < d.size(); ++k) drawn[k].push_back(d[k]);
        }
        for (std::size_t k = 0; k < names_.size(); ++k) {
            result.components[names_[k]].interval = percentile_interval(drawn[k], options_.level);
        }
    }

    void fill_p_values(PairedComparison& result) const {
        const std::size_t count = differing_.size();
        result.exact = count < 63 && (std::uint64_t{1} << count) <= options_.samples;
        const Pair pair = observed();
        const Values difference = pair.difference();
        std::vector<std::uint64_t> hits(names_.size());
        const std::uint64_t assignments =
            result.exact ? std::uint64_t{1} << count : options_.samples;
        // A stream of its own, so that the test does not depend on the intervals' draws.
        Random random(mix_seed(options_.seed, "randomisation"));
        std::vector<std::uint8_t> exchanged(count);
        for (std::uint64_t n = 0; n < assignments; ++n) {
            for (std::size_t k = 0; k < count; ++k) {
                exchanged[k] = (result.exact ? (n >> k) & 1 : random.below(2)) != 0;
            }
            const Values d = values(exchanged).difference();
            for (std::size_t k = 0; k < d.size(); ++k) {
                const double slack = kRounding * (std::abs(pair.a[k]) + std::abs(pair.b[k]));
                hits[k] += std::abs(d[k]) >= std::abs(difference[k]) - slack;
            }
        }
        const std::uint64_t own = result.exact ? 0 : 1;  // the observed assignment
        for (std::size_t k = 0; k < names_.size(); ++k) {
            result.components[names_[k]].p_value =
                static_cast<double>(hits[k] + own) / static_cast<double>(assignments + own);
        }
    }

    template <typename Success>
    void fill_effects(PairedComparison& result, std::size_t primary, const Success& success) const {
        auto sums = make_sums_();
        for (const Row& row : a_) sums.add(row);
        const double before = sums.values()[primary];
        result.tied = a_.size() - differing_.size();
        for (const std::size_t changed : differing_) {
            auto with_b = sums;
            with_b.remove(a_[changed]);
            with_b.add(b_[changed]);
            EpisodeEffect effect;
            effect.row = changed;
            effect.effect = with_b.values()[primary] - before;
            effect.SR_a = success(a_[changed]);
            effect.SR_b = success(b_[changed]);
            ++(effect.effect > 0 ? result.won : effect.effect < 0 ? result.lost : result.tied);
            result.gained += effect.SR_b > effect.SR_a;
            result.dropped += effect.SR_b < effect.SR_a;
            result.effects.push_back(effect);
        }
        std::stable_sort(result.effects.begin(), result.effects.end(),
                         [](const EpisodeEffect& x, const EpisodeEffect& y) {
                             return std::abs(x.effect) > std::abs(y.effect);
                         });
    }

    std::span<const Row> a_, b_;
    std::vector<std::string> names_;
    MakeSums make_sums_;
    ResamplingOptions options_;
    std::vector<std::size_t> differing_;
};

/// ScoreSums with a split's denominator.
struct SplitSums {
    double human_influenced;
    ScoreSums sums = {};

    void add(const ScoreRow& row) { sums.add(row); }
    void remove(const ScoreRow& row) { sums.remove(row); }
    Values values() const {
        const ScoreComponents c = sums.components(human_influenced);
        Values list;
        for (const ComponentName& part : component_names()) list.push_back(c.*part.member);
        return list;
    }
};

struct MeanSums {
    explicit MeanSums(std::size_t names) : sums(names), counts(names) {}
    Values sums;
    std::vector<std::int64_t> counts;

    void add(const MetricRow& row) { add(row, 1); }
    void remove(const MetricRow& row) { add(row, -1); }
    void add(const MetricRow& row, int sign) {
        for (std::size_t k = 0; k < sums.size(); ++k) {
            if (!row[k]) continue;
            sums[k] += sign * *row[k];
            counts[k] += sign;
        }
    }
    Values values() const {
        Values list(sums.size());
        for (std::size_t k = 0; k < list.size(); ++k) {
            if (counts[k] > 0) list[k] = sums[k] / static_cast<double>(counts[k]);
        }
        return list;
    }
};

std::size_t index_of(std::span<const std::string> names, const std::string& name) {
    const auto at = std::find(names.begin(), names.end(), name);
    HAVLN_CHECK(at != names.end());
    return static_cast<std::size_t>(at - names.begin());
}

}  // namespace

PairedComparison compare_rows(std::span<const ScoreRow> a, std::span<const ScoreRow> b,
                              std::uint64_t human_influenced, const ResamplingOptions& options) {
    HAVLN_CHECK(human_influenced > 0);
    std::vector<std::string> names;
    for (const ComponentName& part : component_names()) names.emplace_back(part.name);
    const std::size_t score = index_of(names, "score");
    const auto make_sums = [human_influenced] {
        return SplitSums{static_cast<double>(human_influenced)};
    };
    return Comparison<ScoreRow, decltype(make_sums)>(a, b, std::move(names), make_sums, options)
        .run(score, [](const ScoreRow& row) { return row.SR; });
}

PairedComparison compare_means(std::span<const MetricRow> a, std::span<const MetricRow> b,
                               std::span<const std::string> names, const std::string& primary,
                               const std::string& success, const ResamplingOptions& options) {
    for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) {
        HAVLN_CHECK(a[k].size() == names.size() && b[k].size() == names.size());
    }
    const std::size_t primary_at = index_of(names, primary), success_at = index_of(names, success);
    const auto make_sums = [&names] { return MeanSums(names.size()); };
    return Comparison<MetricRow, decltype(make_sums)>(a, b, {names.begin(), names.end()}, make_sums,
                                                      options)
        .run(primary_at, [success_at](const MetricRow& row) {
            return row[success_at].value_or(0) > 0 ? 1 : 0;
        });
}

}  // namespace havln
