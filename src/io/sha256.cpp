#include "io/sha256.h"

#include <openssl/evp.h>

#include "havln/error.h"

namespace havln {

struct Sha256::State {
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    ~State() { EVP_MD_CTX_free(context); }
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
    HAVLN_CHECK(state_->context != nullptr);
    HAVLN_CHECK(EVP_DigestInit_ex(state_->context, EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
    HAVLN_CHECK(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::hex() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    HAVLN_CHECK(EVP_DigestFinal_ex(state_->context, digest, &size) == 1);
    constexpr char kDigits[] = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * size);
    for (unsigned int i = 0; i < size; ++i) {
        hex += kDigits[digest[i] >> 4];
        hex += kDigits[digest[i] & 15];
    }
    return hex;
}

std::string sha256_hex(std::string_view bytes) {
    Sha256 sha;
    sha.update(bytes);
    return sha.hex();
}

std::string sha256_base64(std::string_view bytes) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    HAVLN_CHECK(EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha256(), nullptr) == 1);
    unsigned char text[2 * EVP_MAX_MD_SIZE];
    const int length = EVP_EncodeBlock(text, digest, static_cast<int>(size));
    return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(length)};
}

}  // namespace havln
