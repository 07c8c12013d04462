#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "havln/geometry.h"
#include "havln/navmesh.h"

namespace havln {

/// Remembers the move filter's answers. The filter is a pure function of mesh, start and end, and
/// replays of one episode under several clocks mostly walk through the same places, on frames that
/// they share: 100 clocks ask for far fewer different steps than 100 replays.
class StepMemo {
  public:
    StepMemo() : slots_(kLeastSlots) {}

    std::optional<FilterResult> find(const NavMesh& mesh, const Vec3f& from,
                                     const Vec3f& end) const {
        const Slot& slot = slots_[index_of(mesh, from, end)];
        if (slot.mesh == nullptr) return std::nullopt;
        return slot.result;
    }

    void put(const NavMesh& mesh, const Vec3f& from, const Vec3f& end, const FilterResult& result) {
        if (2 * (used_ + 1) > slots_.size()) grow();
        slots_[index_of(mesh, from, end)] = {&mesh, bits(from), bits(end), result};
        ++used_;
    }

    /// Must be called before meshes that were asked about go away.
    void clear() {
        if (used_ == 0) return;
        slots_.assign(slots_.size(), Slot());
        used_ = 0;
    }

  private:
    using Bits = std::array<std::uint32_t, 3>;
    struct Slot {
        const NavMesh* mesh = nullptr;
        Bits from{}, end{};
        FilterResult result;
    };
    static constexpr std::size_t kLeastSlots = 1024;  // a power of two, as every later size

    static Bits bits(const Vec3f& v) { return std::bit_cast<Bits>(v); }

    static std::uint64_t hash(const NavMesh* mesh, const Bits& from, const Bits& end) {
        auto h = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(mesh));
        for (const Bits& point : {from, end}) {
            for (const std::uint32_t word : point) h = (h ^ word) * 0x9e3779b97f4a7c15u;
        }
        return h ^ (h >> 29);
    }

    /// The slot that holds the key, or the free one where it belongs. Linear probing.
    std::size_t index_of(const NavMesh& mesh, const Vec3f& from, const Vec3f& end) const {
        const Bits from_bits = bits(from), end_bits = bits(end);
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = static_cast<std::size_t>(hash(&mesh, from_bits, end_bits)) & mask;
        while (slots_[i].mesh != nullptr &&
               !(slots_[i].mesh == &mesh && slots_[i].from == from_bits &&
                 slots_[i].end == end_bits)) {
            i = (i + 1) & mask;
        }
        return i;
    }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.mesh == nullptr) continue;
            slots_[index_of(*slot.mesh, std::bit_cast<Vec3f>(slot.from),
                            std::bit_cast<Vec3f>(slot.end))] = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
};

}  // namespace havln
