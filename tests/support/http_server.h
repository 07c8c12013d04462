#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace havln::test {

/// One reply of an HttpServer.
struct HttpScript {
    int status = 200;
    std::vector<std::string> headers;  ///< Beside Content-Length, e.g. "Retry-After: 1".
    std::string body;
    double delay_s = 0;    ///< Before the reply.
    bool hang_up = false;  ///< Closes the connection instead of replying.
    std::string raw;       ///< Instead of all that: these bytes.
};

struct HttpRequest {
    std::string head;  ///< Request line and headers.
    std::string body;
};

/// A chat completion whose text is `content`.
HttpScript completion(const std::string& content);

/// Serves HTTP on a port of its own of 127.0.0.1: takes one connection after the other, keeps each
/// request and gives the script's replies in turn; the last one again for all further requests.
class HttpServer {
  public:
    /// @pre script is not empty.
    explicit HttpServer(std::vector<HttpScript> script);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    /// "http://127.0.0.1:PORT".
    std::string url() const;
    std::vector<HttpRequest> requests() const;
    std::size_t request_count() const;

  private:
    void serve();
    void answer(int connection);
    bool waited(double seconds) const;

    std::vector<HttpScript> script_;
    int listener_ = -1;
    std::uint16_t port_ = 0;
    std::atomic<bool> stopping_ = false;
    mutable std::mutex mutex_;
    std::vector<HttpRequest> requests_;
    std::thread thread_;
};

}  // namespace havln::test
