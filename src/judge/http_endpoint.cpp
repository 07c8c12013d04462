#include "judge/http_endpoint.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "havln/error.h"
#include "io/escape.h"

namespace havln {

namespace {

struct UrlDeleter {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
struct HandleDeleter {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct ListDeleter {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

std::string part_of(CURLU* url, CURLUPart part) {
    char* text = nullptr;
    if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return {};
    std::string copy(text);
    curl_free(text);
    return copy;
}

bool is_this_machine(const std::string& host) {
    if (host == "localhost" || host == "[::1]") return true;
    return host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos;
}

/// An address as it is used: checked, with its path complete.
struct Address {
    std::string url;
    std::string shown;  ///< Scheme and host.
    bool this_machine = false;
};

Address checked_address(const HttpSettings& settings) {
    const std::unique_ptr<CURLU, UrlDeleter> url(curl_url());
    HAVLN_CHECK(url != nullptr);
    const auto refuse = [](const std::string& why) {
        return usage_error({}, "the endpoint's address: " + why);
    };
    if (curl_url_set(url.get(), CURLUPART_URL, settings.url.c_str(), 0) != CURLUE_OK) {
        throw refuse("expected https://HOST/PATH");
    }
    const std::string scheme = part_of(url.get(), CURLUPART_SCHEME);
    const std::string host = part_of(url.get(), CURLUPART_HOST);
    if (scheme != "https" && scheme != "http") throw refuse("expected https:// or http://");
    if (!part_of(url.get(), CURLUPART_USER).empty() ||
        !part_of(url.get(), CURLUPART_PASSWORD).empty()) {
        throw refuse("holds a name or password; give the key by HAVLN_JUDGE_KEY instead");
    }
    Address address;
    address.shown = fmt::format("{}://{}", scheme, escape_control(host));
    address.this_machine = is_this_machine(host);
    if (scheme == "http" && !address.this_machine && !settings.key.empty()) {
        throw refuse(address.shown + " would get the key unencrypted; use https");
    }
    std::string path = part_of(url.get(), CURLUPART_PATH);
    while (path.ends_with('/')) path.pop_back();
    if (!path.ends_with("/chat/completions")) path += "/chat/completions";
    HAVLN_CHECK(curl_url_set(url.get(), CURLUPART_PATH, path.c_str(), 0) == CURLUE_OK);
    address.url = part_of(url.get(), CURLUPART_URL);
    return address;
}

void check_key(const std::string& key) {
    const bool usable =
        std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (!usable) throw usage_error({}, "the key holds characters that no key has (not shown)");
}

struct Body {
    std::string bytes;
    std::uint64_t max_bytes = 0;
    bool too_large = false;
};

std::size_t take_bytes(char* bytes, std::size_t size, std::size_t count, void* into) {
    Body& body = *static_cast<Body*>(into);
    const std::size_t more = size * count;
    if (more > body.max_bytes - body.bytes.size()) {
        body.too_large = true;
        return 0;
    }
    body.bytes.append(bytes, more);
    return more;
}

bool may_pass(CURLcode code) {
    switch (code) {
        case CURLE_OPERATION_TIMEDOUT:
        case CURLE_GOT_NOTHING:
        case CURLE_PARTIAL_FILE:
        case CURLE_RECV_ERROR:
        case CURLE_SEND_ERROR:
            return true;
        default:
            return false;
    }
}

class CurlEndpoint : public JudgeEndpoint {
  public:
    explicit CurlEndpoint(HttpSettings settings) : settings_(std::move(settings)) {
        check_key(settings_.key);
        address_ = checked_address(settings_);
        handle_.reset(curl_easy_init());
        HAVLN_CHECK(handle_ != nullptr);
        add_header("Content-Type: application/json");
        add_header("Accept: application/json");
        add_header("Expect:");  // No round trip to ask whether the body may come.
        if (!settings_.key.empty()) add_header("Authorization: Bearer " + settings_.key);
        configure();
    }

    HttpReply post(const std::string& request) override {
        Body body;
        body.max_bytes = settings_.max_reply_bytes;
        CURL* const curl = handle_.get();
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.data());
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                         static_cast<curl_off_t>(request.size()));
        curl_easy_setopt(curl, CURLOPT_WRITEDATA, &body);
        const CURLcode code = curl_easy_perform(curl);
        if (code != CURLE_OK) return failure(code, body);
        HttpReply reply;
        reply.outcome = HttpReply::Outcome::kAnswered;
        long status = 0;
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
        reply.status = static_cast<int>(status);
        curl_off_t retry_after_s = 0;
        curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, &retry_after_s);
        if (retry_after_s > 0) reply.retry_after_s = static_cast<double>(retry_after_s);
        reply.body = std::move(body.bytes);
        return reply;
    }

    std::string redacted(std::string text) const override {
        const std::string& key = settings_.key;
        if (key.empty()) return text;
        for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at)) {
            text.replace(at, key.size(), "[key]");
            at += 5;
        }
        return text;
    }

  private:
    void add_header(const std::string& line) {
        curl_slist* const longer = curl_slist_append(headers_.get(), line.c_str());
        HAVLN_CHECK(longer != nullptr);
        (void)headers_.release();
        headers_.reset(longer);
    }

    void configure() {
        CURL* const curl = handle_.get();
        curl_easy_setopt(curl, CURLOPT_URL, address_.url.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
        curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
#else
        curl_easy_setopt(curl, CURLOPT_PROTOCOLS,
                         static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
        curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
        curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
        curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
        curl_easy_setopt(curl, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
        curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
        if (address_.this_machine) curl_easy_setopt(curl, CURLOPT_PROXY, "");
        curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, milliseconds(settings_.timeout_s));
        curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS,
                         milliseconds(std::min(settings_.connect_timeout_s, settings_.timeout_s)));
        curl_easy_setopt(curl, CURLOPT_POST, 1L);
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers_.get());
        curl_easy_setopt(curl, CURLOPT_USERAGENT, settings_.user_agent.c_str());
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &take_bytes);
    }

    static long milliseconds(double seconds) {
        return std::max(1L, static_cast<long>(std::min(seconds, 86400.0) * 1000));
    }

    HttpReply failure(CURLcode code, const Body& body) const {
        HttpReply reply;
        if (body.too_large) {
            reply.detail = fmt::format("{}: the reply is larger than {} bytes", address_.shown,
                                       settings_.max_reply_bytes);
            return reply;
        }
        reply.outcome = may_pass(code) ? HttpReply::Outcome::kLost : HttpReply::Outcome::kFailed;
        reply.detail = fmt::format("{}: {}", address_.shown, curl_easy_strerror(code));
        return reply;
    }

    HttpSettings settings_;
    Address address_;
    std::unique_ptr<CURL, HandleDeleter> handle_;
    std::unique_ptr<curl_slist, ListDeleter> headers_;
};

}  // namespace

std::unique_ptr<JudgeEndpoint> make_http_endpoint(HttpSettings settings) {
    return std::make_unique<CurlEndpoint>(std::move(settings));
}

}  // namespace havln
