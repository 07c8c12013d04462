#pragma once
// Catch2 2 (Debian 12) and 3 under one name.
#ifdef HAVLN_CATCH2_V3
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
