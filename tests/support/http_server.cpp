#include "support/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <utility>

#include "io/json_writer.h"

namespace havln::test {

namespace {

constexpr std::size_t kMaxRequestBytes = 1 << 20;
constexpr int kPollMs = 20;
constexpr int kMaxPolls = 500;  // ten seconds for a client to send or to take something

/// Length that the head announces; nothing where it announces none.
std::size_t content_length(std::string head) {
    std::transform(head.begin(), head.end(), head.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    constexpr std::string_view kName = "\r\ncontent-length: ";
    const std::size_t at = head.find(kName);
    if (at == std::string::npos) return 0;
    std::size_t length = 0;
    const char* const begin = head.data() + at + kName.size();
    std::from_chars(begin, head.data() + head.size(), length);
    return std::min(length, kMaxRequestBytes);
}

std::optional<HttpRequest> read_request(int connection, const std::atomic<bool>& stopping) {
    std::string bytes;
    char buffer[4096];
    for (int polls = 0; polls < kMaxPolls && !stopping; ++polls) {
        const std::size_t head_end = bytes.find("\r\n\r\n");
        if (head_end != std::string::npos) {
            const std::string head = bytes.substr(0, head_end);
            if (bytes.size() - head_end - 4 >= content_length(head)) {
                return HttpRequest{head, bytes.substr(head_end + 4)};
            }
        }
        pollfd wait = {connection, POLLIN, 0};
        if (::poll(&wait, 1, kPollMs) <= 0) continue;
        const ssize_t got = ::recv(connection, buffer, sizeof buffer, 0);
        if (got <= 0 || bytes.size() > kMaxRequestBytes) return std::nullopt;
        bytes.append(buffer, static_cast<std::size_t>(got));
    }
    return std::nullopt;
}

std::string reply_bytes(const HttpScript& script) {
    if (!script.raw.empty()) return script.raw;
    std::string text = "HTTP/1.1 " + std::to_string(script.status) + " Scripted\r\n";
    for (const std::string& header : script.headers) text += header + "\r\n";
    text += "Content-Length: " + std::to_string(script.body.size()) + "\r\n";
    return text + "Connection: close\r\n\r\n" + script.body;
}

void send_all(int connection, std::string_view bytes, const std::atomic<bool>& stopping) {
    for (int polls = 0; !bytes.empty() && polls < kMaxPolls && !stopping;) {
        pollfd wait = {connection, POLLOUT, 0};
        if (::poll(&wait, 1, kPollMs) <= 0) {
            ++polls;
            continue;
        }
        const ssize_t put =
            ::send(connection, bytes.data(), std::min<std::size_t>(bytes.size(), 65536),
                   MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put <= 0) return;
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
}

}  // namespace

HttpScript completion(const std::string& content) {
    JsonWriter json(JsonWriter::Style::kCompact);
    json.begin_object().member("object", "chat.completion");
    json.key("choices").begin_array().begin_object().member("index", 0);
    json.key("message").begin_object().member("role", "assistant").member("content", content);
    json.end_object().member("finish_reason", "stop").end_object().end_array().end_object();
    HttpScript script;
    script.headers = {"Content-Type: application/json"};
    script.body = json.take();
    return script;
}

HttpServer::HttpServer(std::vector<HttpScript> script) : script_(std::move(script)) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (script_.empty() || listener_ < 0 || ::bind(listener_, generic, size) != 0 ||
        ::listen(listener_, 16) != 0 || ::getsockname(listener_, generic, &size) != 0) {
        throw std::runtime_error("cannot serve on 127.0.0.1");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
}

HttpServer::~HttpServer() {
    stopping_ = true;
    thread_.join();
    ::close(listener_);
}

std::string HttpServer::url() const {
    return "http://127.0.0.1:" + std::to_string(port_);
}

std::vector<HttpRequest> HttpServer::requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
}

std::size_t HttpServer::request_count() const {
    const std::lock_guard lock(mutex_);
    return requests_.size();
}

void HttpServer::serve() {
    while (!stopping_) {
        pollfd wait = {listener_, POLLIN, 0};
        if (::poll(&wait, 1, kPollMs) <= 0) continue;
        const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0) continue;
        answer(connection);
        ::close(connection);
    }
}

void HttpServer::answer(int connection) {
    std::optional<HttpRequest> request = read_request(connection, stopping_);
    if (!request) return;
    std::size_t index = 0;
    {
        const std::lock_guard lock(mutex_);
        index = std::min(requests_.size(), script_.size() - 1);
        requests_.push_back(std::move(*request));
    }
    const HttpScript& script = script_[index];
    if (!waited(script.delay_s) || script.hang_up) return;
    send_all(connection, reply_bytes(script), stopping_);
    // Let the client take what was sent before the connection closes on it.
    ::shutdown(connection, SHUT_WR);
    char rest[256];
    pollfd wait = {connection, POLLIN, 0};
    if (::poll(&wait, 1, 10 * kPollMs) > 0) (void)!::recv(connection, rest, sizeof rest, 0);
}

bool HttpServer::waited(double seconds) const {
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double>(seconds));
    while (Clock::now() < until && !stopping_) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return !stopping_;
}

}  // namespace havln::test
