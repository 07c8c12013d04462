// JsonReader and JsonStream (our own parsers) against JsonTree (nlohmann's) on damaged documents:
// the same ones are accepted, with the same content.
#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>

#include "havln/random.h"
#include "io/byte_source.h"
#include "io/json_reader.h"
#include "io/json_stream.h"
#include "io/json_tree.h"
#include "io/json_writer.h"
#include "support/catch.h"
#include "support/damage.h"

using havln::JsonReader;
using havln::JsonStream;
using havln::JsonToken;
using havln::JsonTree;

namespace {

// Adding 0.0 below makes -0 and 0 one: the tree holds "-0" as an integer.

/// Length first, so that no text can be taken for another.
std::string canonical_string(std::string_view text) {
    std::string out = fmt::format("s{}:", text.size());
    out += text;
    return out;
}

void canonical(const JsonTree& tree, std::string& out) {
    if (tree.is_object()) {
        out += "{";
        for (const auto& [key, value] : tree.object()) {
            out += canonical_string(key);
            canonical(value, out);
        }
        out += "}";
    } else if (tree.is_array()) {
        out += "[";
        for (const JsonTree& item : tree.array()) canonical(item, out);
        out += "]";
    } else if (tree.is_string()) {
        out += canonical_string(tree.string());
    } else if (tree.is_number()) {
        out += fmt::format("n{};", havln::number_text(tree.number() + 0.0));
    } else if (tree.is_bool()) {
        out += tree.boolean() ? "t" : "f";
    } else {
        out += "0";
    }
}

void canonical(JsonReader& reader, std::string& out) {
    switch (reader.peek()) {
        case JsonReader::Kind::kObject:
            out += "{";
            reader.object([&](std::string_view key) {
                out += canonical_string(key);
                canonical(reader, out);
            });
            out += "}";
            return;
        case JsonReader::Kind::kArray:
            out += "[";
            reader.array([&](std::size_t) { canonical(reader, out); });
            out += "]";
            return;
        case JsonReader::Kind::kString:
            out += canonical_string(reader.string());
            return;
        case JsonReader::Kind::kNumber:
            out += fmt::format("n{};", havln::number_text(reader.number() + 0.0));
            return;
        case JsonReader::Kind::kBoolean:
            out += reader.boolean() ? "t" : "f";
            return;
        case JsonReader::Kind::kNull:
            reader.skip_null();
            out += "0";
            return;
    }
}

std::string by_tree(const std::string& text) {
    try {
        std::string out;
        canonical(JsonTree::parse(text, "f"), out);
        return out;
    } catch (const havln::Error&) {
        return "refused";
    }
}

std::string by_reader(const std::string& text) {
    try {
        std::string out;
        JsonReader reader(text, "f");
        canonical(reader, out);
        reader.finish();
        return out;
    } catch (const havln::Error&) {
        return "refused";
    }
}

void canonical(JsonStream& stream, JsonToken token, std::string& out) {
    switch (token) {
        case JsonToken::kBeginObject:
            out += "{";
            while ((token = stream.next()) == JsonToken::kKey) {
                out += canonical_string(stream.text());
                canonical(stream, stream.next(), out);
            }
            out += "}";
            return;
        case JsonToken::kBeginArray:
            out += "[";
            while ((token = stream.next()) != JsonToken::kEndArray) {
                if (token == JsonToken::kFailed) return;
                canonical(stream, token, out);
            }
            out += "]";
            return;
        case JsonToken::kString:
            out += canonical_string(stream.text());
            return;
        case JsonToken::kNumber: {
            double number = 0;
            const std::string_view text = stream.text();
            std::from_chars(text.data(), text.data() + text.size(), number);
            out += fmt::format("n{};", havln::number_text(number + 0.0));
            return;
        }
        case JsonToken::kTrue:
        case JsonToken::kFalse:
            out += token == JsonToken::kTrue ? "t" : "f";
            return;
        default:
            out += "0";
    }
}

/// @param piece_bytes  how the text is cut for the stream, which must make no difference.
std::string by_stream(const std::string& text, std::size_t piece_bytes) {
    havln::MemorySource source(text, piece_bytes);
    bool clean = true;
    JsonStream stream(source, 64, [&](const havln::JsonFault&) { clean = false; });
    std::string out;
    canonical(stream, stream.next(), out);
    return stream.next() == JsonToken::kEnd && clean ? out : "refused";
}

}  // namespace

TEST_CASE("Our parsers and the general one agree on damaged documents", "[io][json]") {
    const std::string whole =
        R"({"a": [1, -2.5e-3, 0.0, 1E+2, 12345678901234567890], "b\u00e4\n": {"c": null, "d": true},
            "e": "x\u20ac\ud83d\ude00ä", "f": [[], {}, false, "", [[0]]], "0": -0})";
    REQUIRE(by_reader(whole) == by_tree(whole));
    REQUIRE(by_reader(whole) != "refused");
    havln::Random random(20260101);
    int accepted = 0;
    for (int i = 0; i < 30000; ++i) {
        const std::string text = havln::test::damaged(whole, random);
        const std::string expected = by_tree(text);
        accepted += expected != "refused" ? 1 : 0;
        if (by_reader(text) != expected) {
            CAPTURE(text, expected);
            CHECK(by_reader(text) == expected);
        }
        const std::size_t piece_bytes = i % 2 == 0 ? 1 + random.below(8) : 1000;
        if (by_stream(text, piece_bytes) != expected) {
            CAPTURE(text, piece_bytes, expected);
            CHECK(by_stream(text, piece_bytes) == expected);
        }
    }
    // The damage must not be so bad, or so mild, that one side is never met.
    CHECK(accepted > 1000);
    CHECK(accepted < 29000);
}

TEST_CASE("all parsers refuse a NUL byte and a byte-order mark", "[io][json]") {
    for (const std::string& text : {std::string("{}\0x", 4), std::string("{}\0", 3),
                                    std::string("[1,\0]", 5), std::string("\xef\xbb\xbf{}")}) {
        CHECK(by_tree(text) == "refused");
        CHECK(by_reader(text) == "refused");
        CHECK(by_stream(text, 1) == "refused");
        CHECK(by_stream(text, 1000) == "refused");
    }
}
