#pragma once

#include <string>

#include "havln/random.h"

namespace havln::test {

/// The text with one to three bytes replaced, put in, taken out or copied from elsewhere; the bytes
/// are those that JSON readers stumble over.
std::string damaged(std::string text, Random& random);

}  // namespace havln::test
