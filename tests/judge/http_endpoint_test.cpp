#include "judge/http_endpoint.h"

#include <string>

#include "havln/error.h"
#include "support/catch.h"
#include "support/http_server.h"

using namespace havln;
using namespace havln::test;

namespace {

HttpSettings settings_for(const std::string& url) {
    HttpSettings settings;
    settings.url = url;
    settings.key = "k-123456";
    settings.user_agent = "test/1";
    return settings;
}

HttpReply post_once(HttpScript script, HttpSettings settings = settings_for("")) {
    const HttpServer server({std::move(script)});
    settings.url = server.url();
    return make_http_endpoint(settings)->post("{}");
}

std::string refusal_of(const HttpSettings& settings) {
    try {
        make_http_endpoint(settings);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::kUsage);
        CHECK(std::string(error.what()).find("k-123456") == std::string::npos);
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("http: one POST with key and body, to the address completed", "[judge][http]") {
    const HttpServer server({completion("4")});
    for (const char* path : {"/v1", "/v1/", "/v1/chat/completions"}) {
        const auto endpoint = make_http_endpoint(settings_for(server.url() + path + "?version=2"));
        const HttpReply reply = endpoint->post("{\"a\":1}");
        CHECK(reply.outcome == HttpReply::Outcome::kAnswered);
        CHECK(reply.status == 200);
        CHECK(reply.body == completion("4").body);
        CHECK_FALSE(reply.retry_after_s);
        const HttpRequest request = server.requests().back();
        CHECK_THAT(request.head, contains_text("POST /v1/chat/completions?version=2 HTTP/1.1\r\n"));
        CHECK_THAT(request.head, contains_text("Authorization: Bearer k-123456"));
        CHECK_THAT(request.head, contains_text("Content-Type: application/json"));
        CHECK_THAT(request.head, contains_text("User-Agent: test/1\r\n"));
        CHECK(request.body == "{\"a\":1}");
    }
    CHECK(server.request_count() == 3);
    HttpSettings keyless = settings_for(server.url());
    keyless.key.clear();
    make_http_endpoint(keyless)->post("{}");
    REQUIRE(server.request_count() == 4);
    CHECK(server.requests().back().head.find("Authorization") == std::string::npos);
}

TEST_CASE("http: status and Retry-After", "[judge][http]") {
    HttpScript busy;
    busy.status = 429;
    busy.headers = {"Retry-After: 17"};
    const HttpReply reply = post_once(busy);
    CHECK(reply.status == 429);
    CHECK(reply.retry_after_s == 17.0);
    busy.headers = {"Retry-After: soon"};
    CHECK_FALSE(post_once(busy).retry_after_s);
    busy.headers = {"Retry-After: Sun, 06 Nov 1994 08:49:37 GMT"};  // long past
    CHECK_FALSE(post_once(busy).retry_after_s);
}

TEST_CASE("http: redirects are not followed, so that nobody else gets the key", "[judge][http]") {
    const HttpServer other({completion("5")});
    HttpScript redirect;
    redirect.status = 307;
    redirect.headers = {"Location: " + other.url() + "/"};
    CHECK(post_once(redirect).status == 307);
    CHECK(other.request_count() == 0);
}

TEST_CASE("http: timeouts and broken connections are lost, not failed", "[judge][http]") {
    HttpScript slow = completion("4");
    slow.delay_s = 30;
    HttpSettings hasty = settings_for("");
    hasty.timeout_s = 0.5;
    const HttpReply reply = post_once(slow, hasty);
    CHECK(reply.outcome == HttpReply::Outcome::kLost);
    CHECK_THAT(reply.detail, contains_text("http://127.0.0.1"));
    HttpScript hang_up;
    hang_up.hang_up = true;
    CHECK(post_once(hang_up).outcome == HttpReply::Outcome::kLost);
    HttpScript cut;
    cut.raw = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"choices\"";
    CHECK(post_once(cut).outcome == HttpReply::Outcome::kLost);
}

TEST_CASE("http: too large, no HTTP at all, nobody there", "[judge][http]") {
    HttpScript large;
    large.body.assign((1 << 20) + 1, 'x');
    const HttpReply reply = post_once(large);
    CHECK(reply.outcome == HttpReply::Outcome::kFailed);
    CHECK_THAT(reply.detail, contains_text("larger than 1048576 bytes"));
    large.body.pop_back();
    CHECK(post_once(large).body.size() == 1 << 20);
    HttpScript unframed;  // no Content-Length to be warned by
    unframed.raw = "HTTP/1.1 200 OK\r\n\r\n" + std::string(3 << 20, 'x');
    CHECK_THAT(post_once(unframed).detail, contains_text("larger than"));
    HttpScript noise;
    noise.raw = "220 mail.example ESMTP\r\n";
    CHECK(post_once(noise).outcome == HttpReply::Outcome::kFailed);
    std::string url;
    {
        const HttpServer gone({completion("4")});
        url = gone.url();
    }
    CHECK(make_http_endpoint(settings_for(url))->post("{}").outcome == HttpReply::Outcome::kFailed);
}

TEST_CASE("http: addresses and keys that cannot be used", "[judge][http]") {
    for (const char* url : {"", "host/v1", "ftp://host/", "file:///etc/passwd", "https://",
                            "https://host:99999/", "http://a b/"}) {
        INFO(url);
        CHECK_THAT(refusal_of(settings_for(url)), contains_text("the endpoint's address"));
    }
    CHECK_THAT(refusal_of(settings_for("https://user:k-123456@host/v1")),
               contains_text("holds a name or password"));
    // The key goes unencrypted to nobody but this machine.
    CHECK_THAT(refusal_of(settings_for("http://host/v1")), contains_text("use https"));
    CHECK_THAT(refusal_of(settings_for("http://127.0.0.1.example/")), contains_text("use https"));
    CHECK_THAT(refusal_of(settings_for("http://localhost.example/")), contains_text("use https"));
    CHECK(refusal_of(settings_for("http://localhost:1/v1")) == "accepted");
    CHECK(refusal_of(settings_for("http://[::1]:1/v1")) == "accepted");
    HttpSettings keyless = settings_for("http://host/v1");
    keyless.key.clear();
    CHECK(refusal_of(keyless) == "accepted");
    HttpSettings forged = settings_for("https://host/v1");
    forged.key = "k\r\nX-Forged: 1";
    CHECK_THAT(refusal_of(forged), contains_text("the key holds characters"));
}

TEST_CASE("http: the key is blotted out wherever it stands", "[judge][http]") {
    const auto endpoint = make_http_endpoint(settings_for("https://host/v1"));
    CHECK(endpoint->redacted("k-123456, k-12345, xk-123456k-123456") ==
          "[key], k-12345, x[key][key]");
}
