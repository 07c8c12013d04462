#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "havln/judge.h"

namespace havln {

/// Where and how an OpenAI-compatible endpoint is reached.
struct HttpSettings {
    std::string url;  ///< "https://HOST/v1", or the whole address of its chat/completions.
    std::string key;  ///< Sent as bearer token; empty: none.
    std::string user_agent;
    double timeout_s = 60;  ///< Of a whole request.
    double connect_timeout_s = 10;
    std::uint64_t max_reply_bytes = 1 << 20;
};

/// Sends requests with libcurl: http and https only, certificates checked, no redirect followed, no
/// netrc, no compressed replies. Proxies are those of the usual environment variables, but none for
/// this machine itself.
/// @throws Error (kUsage) where the address or the key cannot be used, and where a key would go
///         over plain http to another machine. No message holds the key or the address's query.
std::unique_ptr<JudgeEndpoint> make_http_endpoint(HttpSettings settings);

}  // namespace havln
