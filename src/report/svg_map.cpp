#include "report/svg_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "io/escape.h"
#include "report/assets.h"
#include "report/html_text.h"
#include "report/svg_path.h"

namespace havln {

namespace {

constexpr double kMargin_px = 16;
constexpr double kGap_px = 16;
constexpr double kLegendColumn_px = 230;
constexpr double kLegendRow_px = 26;
constexpr double kHighestPanel_px = 720;
constexpr double kLargestScale = 1.2;  ///< [px per cm]

/// One floor's place on the sheet.
struct Panel {
    const MapView* view = nullptr;
    double x = 0, y = 0;  ///< Upper left corner [px].
    double scale = 1;     ///< [px per cm]

    double width() const { return view->box.width() * scale; }
    double height() const { return view->box.height() * scale; }
    double px_x(MapPoint p) const { return x + (p.x - view->box.min.x) * scale; }
    double px_y(MapPoint p) const { return y + (p.y - view->box.min.y) * scale; }
    bool shows(const MapPlace& place) const {
        const MapBox& box = view->box;
        return place.floor == view->floor && place.at.x >= box.min.x && place.at.x <= box.max.x &&
               place.at.y >= box.min.y && place.at.y <= box.max.y;
    }
};

void append(SvgPath& path, const Panel& panel, const std::vector<MapPoint>& points) {
    for (std::size_t k = 0; k < points.size(); ++k) {
        const auto x = std::lround(panel.px_x(points[k]) * 10);
        const auto y = std::lround(panel.px_y(points[k]) * 10);
        if (k == 0) {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
}

void put_mark(std::string& out, const char* name, double x, double y, int degrees = 0) {
    put(out, "<use href=\"#mark-{}\" transform=\"translate({} {})", name, px(x), px(y));
    if (degrees != 0) put(out, " rotate({})", degrees);
    out += "\"/>\n";
}

void put_mark(std::string& out, const char* name, const Panel& panel, MapPoint at,
              int degrees = 0) {
    put_mark(out, name, panel.px_x(at), panel.px_y(at), degrees);
}

void put_circle(std::string& out, const char* classes, const Panel& panel, MapPoint at,
                double radius_cm) {
    put(out, "<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", classes, px(panel.px_x(at)),
        px(panel.px_y(at)), px(radius_cm * panel.scale));
}

void put_line(std::string& out, std::string_view classes, const Panel& panel,
              const std::vector<MapPoint>& points) {
    if (points.size() < 2) return;
    SvgPath path(true);
    append(path, panel, points);
    put(out, "<path class=\"map-line {}\" d=\"{}\"/>\n", classes, path.text());
}

void put_label(std::string& out, const char* classes, double x, double y, std::string_view text) {
    put_svg_text(out, fmt::format("map-text {}", classes), x, y, text);
}

const char* mark_name(BlockMark mark) {
    constexpr std::array kNames = {"unknown", "human", "static", "both"};
    return kNames[static_cast<std::size_t>(mark)];
}

/// Draws one floor of one episode.
class PanelPainter {
  public:
    PanelPainter(std::string& out, const SceneMap& scene, const EpisodeMap& map, const Panel& panel)
        : out_(out), scene_(scene), map_(map), panel_(panel) {}

    void paint() {
        ground();
        tracks();
        reference();
        goal_circles();
        envelopes();
        path();
        step_numbers();
        blocks();
        ends();
    }

  private:
    void ground();
    void tracks();
    void reference();
    void goal_circles();
    void envelopes();
    void path();
    void step_numbers();
    void blocks();
    void block_counts();
    void ends();
    bool has_contact(std::size_t person) const;

    std::string& out_;
    const SceneMap& scene_;
    const EpisodeMap& map_;
    const Panel& panel_;
};

void PanelPainter::ground() {
    const MapFloor& floor = scene_.floors[static_cast<std::size_t>(panel_.view->floor)];
    for (const MapRegion& region : floor.regions) {
        SvgPath path(true);
        for (const auto& outline : region.outlines) {
            append(path, panel_, outline);
            path.close();
        }
        put(out_, "<path class=\"map-ground map-ground-{}\" d=\"{}\"/>\n", region.tint,
            path.text());
    }
}

bool PanelPainter::has_contact(std::size_t person) const {
    return std::any_of(map_.contacts.begin(), map_.contacts.end(),
                       [&](const MapContact& contact) { return contact.person == person; });
}

void PanelPainter::tracks() {
    for (std::size_t k = 0; k < scene_.people.size(); ++k) {
        std::vector<MapPoint> track;
        std::optional<MapPoint> first;
        for (const auto& place : scene_.people[k].by_frame) {
            if (!place || !panel_.shows(*place)) {
                put_line(out_, "map-track", panel_, track);
                track.clear();
                continue;
            }
            if (!first) first = place->at;
            if (track.empty() || track.back() != place->at) track.push_back(place->at);
        }
        put_line(out_, "map-track", panel_, track);
        if (first && !has_contact(k)) put_mark(out_, "person", panel_, *first);
    }
}

void PanelPainter::reference() {
    const auto on_floor = [&](const MapPlace& p) { return p.floor == panel_.view->floor; };
    const auto& points = map_.reference;
    std::vector<MapPoint> piece;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const bool from_here = k > 0 && on_floor(points[k - 1]);
        if (!on_floor(points[k]) && !from_here) {
            if (k + 1 < points.size() && on_floor(points[k + 1])) piece = {points[k].at};
            continue;
        }
        piece.push_back(points[k].at);
        const bool leaves = !on_floor(points[k]);
        if (leaves || k + 1 == points.size()) {
            put_line(out_, "map-reference", panel_, piece);
            piece.clear();
            if (leaves && k + 1 < points.size() && on_floor(points[k + 1])) piece = {points[k].at};
        }
    }
    for (const MapPlace& place : points) {
        if (on_floor(place)) put_mark(out_, "waypoint", panel_, place.at);
    }
}

void PanelPainter::goal_circles() {
    for (const MapPlace& goal : map_.goals) {
        if (goal.floor != panel_.view->floor) continue;
        put_circle(out_, "map-goal-circle", panel_, goal.at, map_.goal_radius_cm);
    }
}

void PanelPainter::envelopes() {
    for (const MapContact& contact : map_.contacts) {
        if (contact.person_place.floor != panel_.view->floor) continue;
        put_circle(out_, "map-envelope", panel_, contact.person_place.at, kEnvelope_m * 100);
        put_line(out_, "map-touch", panel_, {contact.person_place.at, contact.agent_place.at});
    }
    for (const MapContact& contact : map_.contacts) {
        if (contact.person_place.floor != panel_.view->floor) continue;
        put_mark(out_, "person", panel_, contact.person_place.at);
    }
}

void PanelPainter::path() {
    const std::vector<TimePiece> pieces = time_pieces(map_, panel_.view->floor);
    for (const TimePiece& piece : pieces) put_line(out_, "map-casing", panel_, piece.points);
    for (const TimePiece& piece : pieces) {
        put_line(out_, fmt::format("map-time map-t{}", piece.bin), panel_, piece.points);
    }
}

/// Numbers of some steps beside the path, so that time reads without colour.
void PanelPainter::step_numbers() {
    constexpr double kApart_px = 30;
    const std::size_t every = step_label_interval(map_.steps());
    double last_x = -1e9, last_y = -1e9;
    for (std::size_t k = every; k + 1 < map_.path.size(); k += every) {
        if (map_.path[k].floor != panel_.view->floor) continue;
        const double x = panel_.px_x(map_.path[k].at), y = panel_.px_y(map_.path[k].at);
        if (std::hypot(x - last_x, y - last_y) < kApart_px) continue;
        put(out_, "<circle class=\"map-step\" cx=\"{}\" cy=\"{}\" r=\"2\"/>\n", px(x), px(y));
        put_label(out_, "map-halo", x - 6 - 6.5 * static_cast<double>(std::to_string(k).size()),
                  y - 5, std::to_string(k));
        last_x = x;
        last_y = y;
    }
}

void PanelPainter::blocks() {
    // People's marks are drawn last, on top.
    constexpr std::array kOrder = {BlockMark::kUnknown, BlockMark::kStatic, BlockMark::kBoth,
                                   BlockMark::kHuman};
    for (const BlockMark mark : kOrder) {
        for (const MapBlock& block : map_.blocks) {
            if (block.mark != mark || block.place.floor != panel_.view->floor) continue;
            put_mark(out_, mark_name(mark), panel_, block.place.at);
            if (block.contact) put_mark(out_, "contact", panel_, block.place.at);
        }
    }
    block_counts();
}

/// How often steps were blocked at a mark, the greatest counts first; none on top of another.
void PanelPainter::block_counts() {
    constexpr double kHigh_px = 10, kWide_px = 26;
    std::vector<const MapBlock*> blocks, placed;
    for (const MapBlock& block : map_.blocks) {
        if (block.count > 2 && block.place.floor == panel_.view->floor) blocks.push_back(&block);
    }
    std::stable_sort(blocks.begin(), blocks.end(),
                     [](const MapBlock* a, const MapBlock* b) { return a->count > b->count; });
    for (const MapBlock* block : blocks) {
        const double x = panel_.px_x(block->place.at), y = panel_.px_y(block->place.at);
        const bool hidden = std::any_of(placed.begin(), placed.end(), [&](const MapBlock* other) {
            return std::abs(panel_.px_y(other->place.at) - y) < kHigh_px &&
                   std::abs(panel_.px_x(other->place.at) - x) < kWide_px;
        });
        if (hidden) continue;
        placed.push_back(block);
        put_label(out_, "map-halo map-count", x + 8, y + 4, fmt::format("×{}", block->count));
    }
}

void PanelPainter::ends() {
    for (const MapPoint point : map_.crossings) put_mark(out_, "stairs", panel_, point);
    if (map_.start.floor == panel_.view->floor) {
        put_mark(out_, "start", panel_, map_.start.at, map_.start_heading_5deg * 5);
    }
    if (!map_.path.empty() && map_.path.back().floor == panel_.view->floor) {
        put_mark(out_, map_.stopped ? "stop" : "end", panel_, map_.path.back().at);
    }
    // The star, whose arms leave room, on top of an end that hits it.
    for (const MapPlace& goal : map_.goals) {
        if (goal.floor == panel_.view->floor) put_mark(out_, "goal", panel_, goal.at);
    }
}

std::string sample_mark(const char* name) {
    std::string out;
    put_mark(out, name, 17, 0);
    return out;
}

std::string sample_line(const char* classes) {
    return fmt::format("<path class=\"map-line {}\" d=\"M1 0H33\"/>\n", classes);
}

std::string sample_swatches(const std::vector<int>& tints) {
    std::string out;
    int x = 17 - 6 * static_cast<int>(tints.size());
    for (const int tint : tints) {
        put(out,
            "<rect class=\"map-ground map-ground-{}\" x=\"{}\" y=\"-5.5\" width=\"11\" "
            "height=\"11\"/>\n",
            tint, x);
        x += 12;
    }
    return out;
}

bool shows_person(const Panel& panel, const MapPerson& person) {
    return std::any_of(person.by_frame.begin(), person.by_frame.end(),
                       [&](const auto& place) { return place && panel.shows(*place); });
}

/// Does an island other than the largest one reach into the view?
bool shows_islands(const Panel& panel, const SceneMap& scene) {
    const MapBox& view = panel.view->box;
    const auto& regions = scene.floors[static_cast<std::size_t>(panel.view->floor)].regions;
    return std::any_of(regions.begin(), regions.end(), [&](const MapRegion& region) {
        MapBox box;
        for (const auto& outline : region.outlines) {
            for (const MapPoint point : outline) box.add(point);
        }
        return region.tint > 0 && box.max.x >= view.min.x && box.min.x <= view.max.x &&
               box.max.y >= view.min.y && box.min.y <= view.max.y;
    });
}

/// Keys of the entries that a map needs.
std::set<std::string_view> legend_keys(const std::vector<Panel>& panels, const SceneMap& scene,
                                       const EpisodeMap& map) {
    std::set<std::string_view> keys = {"start", scene.people_cut_out ? "ground-cut" : "ground"};
    if (!map.goals.empty()) keys.insert("goal");
    if (!map.path.empty()) keys.insert(map.stopped ? "stop" : "end");
    if (map.reference.size() > 1) keys.insert("reference");
    if (!map.crossings.empty()) keys.insert("stairs");
    for (const MapBlock& block : map.blocks) {
        keys.insert(mark_name(block.mark));
        if (block.contact) keys.insert("contact");
    }
    if (!map.contacts.empty()) keys.insert("envelope");
    for (const Panel& panel : panels) {
        for (const MapPerson& person : scene.people) {
            if (shows_person(panel, person)) keys.insert("person");
        }
        if (shows_islands(panel, scene)) keys.insert("islands");
    }
    return keys;
}

/// The largest of 1, 2, 5, 10, 20, ... metres that takes at most 160 px.
int scale_bar_m(double scale) {
    int metres = 1;
    for (int power = 1; power <= 10'000; power *= 10) {
        for (const int factor : {1, 2, 5}) {
            if (factor * power * 100 * scale <= 160) metres = factor * power;
        }
    }
    return metres;
}

void put_scale_bar(std::string& out, double x, double y, double scale) {
    const int metres = scale_bar_m(scale);
    put(out, "<path class=\"map-scale\" d=\"M{} {}v6h{}v-6\"/>\n", px(x), px(y - 6),
        px(metres * 100 * scale));
    put_label(out, "", x + metres * 100 * scale + 8, y + 2, fmt::format("{} m", metres));
}

void put_time_bar(std::string& out, double x, double y, std::size_t steps) {
    constexpr double kBin_px = 11;
    put_label(out, "", x, y + 2, "step 0");
    x += 40;
    for (int bin = 0; bin < kTimeBins; ++bin) {
        put(out, "<path class=\"map-time-bar map-t{}\" d=\"M{} {}h{}\"/>\n", bin,
            px(x + bin * kBin_px), px(y - 2), px(kBin_px + 0.5));
    }
    put_label(out, "", x + kTimeBins * kBin_px + 6, y + 2, std::to_string(steps));
}

/// Lays the sheet out and writes it.
class Sheet {
  public:
    explicit Sheet(const SvgMapInput& input) : in_(input) { lay_out(); }
    std::string text();

  private:
    void lay_out();
    void header();
    void panels();
    void legend();
    double inner_width() const { return in_.width_px - 2 * kMargin_px; }

    const SvgMapInput& in_;
    std::vector<Panel> panels_;
    std::vector<LegendEntry> legend_;
    std::size_t legend_columns_ = 1;
    double legend_x_ = kMargin_px, legend_y_ = 0, bars_y_ = 0, height_ = 0;
    std::string out_;
};

/// The legend stands beside the panels where that does not make them smaller, else below.
void Sheet::lay_out() {
    const std::vector<MapView>& views = in_.map->views;
    double wide_cm = 0, high_cm = 0;
    for (const MapView& view : views) {
        wide_cm += view.box.width();
        high_cm = std::max<double>(high_cm, view.box.height());
    }
    const double gaps = kGap_px * static_cast<double>(views.size() - 1);
    const auto scale_in = [&](double room) {
        return std::min({(room - gaps) / wide_cm, kHighestPanel_px / high_cm, kLargestScale});
    };
    const double beside = scale_in(inner_width() - kLegendColumn_px - kGap_px);
    const double below = scale_in(inner_width());
    const bool is_beside = beside >= 0.98 * below;
    const double scale = is_beside ? beside : below;
    double x = kMargin_px;
    const double y = 62 + (views.size() > 1 ? 20 : 0);
    for (const MapView& view : views) {
        panels_.push_back({&view, x, y, scale});
        x += panels_.back().width() + kGap_px;
    }
    const auto keys = legend_keys(panels_, *in_.scene, *in_.map);
    for (const LegendEntry& entry : legend_catalogue()) {
        if (keys.contains(entry.key)) legend_.push_back(entry);
    }
    const double panels_end = y + high_cm * scale;
    bars_y_ = panels_end + 24;
    legend_x_ = is_beside ? x : kMargin_px;
    legend_y_ = is_beside ? y + 13 : panels_end + 56;
    legend_columns_ =
        is_beside
            ? 1
            : std::max<std::size_t>(1, static_cast<std::size_t>(inner_width() / kLegendColumn_px));
    const std::size_t rows = (legend_.size() + legend_columns_ - 1) / legend_columns_;
    const double legend_end = legend_y_ + static_cast<double>(rows) * kLegendRow_px;
    height_ = std::max(bars_y_ + 16, legend_end);
}

void Sheet::header() {
    const std::string title = escape_markup(in_.title);
    put(out_,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" role=\"img\" aria-labelledby=\"title\">\n",
        in_.width_px, px(height_));
    put(out_, "<title id=\"title\">{}</title>\n<style>\n{}</style>\n<defs>\n{}", title,
        plain_map_css(), asset("map_marks.svg"));
    for (std::size_t k = 0; k < panels_.size(); ++k) {
        put(out_,
            "<clipPath id=\"view-{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" "
            "height=\"{}\"/></clipPath>\n",
            k, px(panels_[k].x), px(panels_[k].y), px(panels_[k].width()), px(panels_[k].height()));
    }
    put(out_, "</defs>\n<rect class=\"map-paper\" width=\"{}\" height=\"{}\"/>\n", in_.width_px,
        px(height_));
    put_label(out_, "map-title", kMargin_px, 30, in_.title);
    put_label(out_, "map-dim", kMargin_px, 49, in_.subtitle);
}

void Sheet::panels() {
    for (std::size_t k = 0; k < panels_.size(); ++k) {
        const Panel& panel = panels_[k];
        if (panels_.size() > 1) {
            const MapFloor& floor = in_.scene->floors[static_cast<std::size_t>(panel.view->floor)];
            put_label(out_, "", panel.x, panel.y - 7,
                      fmt::format("Floor {} of {} (y = {:.1f} m)", panel.view->floor + 1,
                                  in_.scene->floors.size(), floor.level_m));
        }
        put(out_, "<g clip-path=\"url(#view-{})\">\n", k);
        PanelPainter(out_, *in_.scene, *in_.map, panel).paint();
        put(out_,
            "</g>\n<rect class=\"map-frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
            px(panel.x), px(panel.y), px(panel.width()), px(panel.height()));
    }
}

void Sheet::legend() {
    put_scale_bar(out_, kMargin_px, bars_y_, panels_.front().scale);
    if (in_.map->steps() > 0)
        put_time_bar(out_, kMargin_px + kLegendColumn_px, bars_y_, in_.map->steps());
    for (std::size_t k = 0; k < legend_.size(); ++k) {
        const auto column = static_cast<double>(k % legend_columns_);
        const auto row = static_cast<double>(k / legend_columns_);
        put(out_, "<g transform=\"translate({} {})\">\n{}",
            px(legend_x_ + column * kLegendColumn_px), px(legend_y_ + row * kLegendRow_px),
            legend_[k].drawing);
        put_label(out_, "", 42, 4, legend_[k].words);
        out_ += "</g>\n";
    }
}

std::string Sheet::text() {
    header();
    panels();
    legend();
    out_ += "</svg>\n";
    return std::move(out_);
}

}  // namespace

std::vector<LegendEntry> legend_catalogue() {
    return {
        {"start", sample_mark("start"), "Start, pointing ahead"},
        {"goal", sample_mark("goal"), "Goal, success distance"},
        {"stop", sample_mark("stop"), "End, STOP called"},
        {"end", sample_mark("end"), "End, STOP not called"},
        {"reference", sample_line("map-reference") + sample_mark("waypoint"), "Reference path"},
        {"stairs", sample_mark("stairs"), "Change of floor"},
        {"human", sample_mark("human"), "Step blocked by a person"},
        {"static", sample_mark("static"), "Step blocked by the scene"},
        {"both", sample_mark("both"), "Step blocked by both"},
        {"unknown", sample_mark("unknown"), "Step blocked, cause not known"},
        {"contact", sample_mark("contact"), "Counted as contact"},
        {"envelope",
         "<circle class=\"map-envelope\" cx=\"17\" r=\"12\"/>\n" + sample_mark("person"),
         "Person at contact, 1 m around"},
        {"person", sample_line("map-track") + sample_mark("person"), "Person and track"},
        {"ground", sample_swatches({0}), "Navmesh without people"},
        {"ground-cut", sample_swatches({0}), "Navmesh of frame 0, with people"},
        {"islands", sample_swatches({1, 2, 3}), "Other islands of the navmesh"},
    };
}

std::vector<TimePiece> time_pieces(const EpisodeMap& map, int floor) {
    std::vector<TimePiece> pieces;
    const std::size_t steps = map.steps();
    bool joined = false;  // the last piece ends where this step begins
    for (std::size_t k = 1; k <= steps; ++k) {
        const MapPlace &from = map.path[k - 1], &to = map.path[k];
        if (from.floor != floor && to.floor != floor) {
            joined = false;
            continue;
        }
        const int bin = static_cast<int>((k - 1) * kTimeBins / steps);
        if (from.at == to.at) continue;
        if (!joined || pieces.back().bin != bin) pieces.push_back({bin, {from.at}});
        pieces.back().points.push_back(to.at);
        joined = true;
    }
    return pieces;
}

std::size_t step_label_interval(std::size_t steps) {
    constexpr std::size_t kMostLabels = 6;
    constexpr std::size_t kIntervals[] = {5, 10, 20, 50, 100};
    for (const std::size_t every : kIntervals) {
        if (steps <= every * kMostLabels) return every;
    }
    return steps / kMostLabels + 1;
}

std::string svg_map(const SvgMapInput& input) {
    return Sheet(input).text();
}

}  // namespace havln
