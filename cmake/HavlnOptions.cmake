# havln_options: the compile rules that every target of the project obeys.
# No fused multiply-add and no fast-math: replayed positions must equal Habitat's bit for bit.
add_library(havln_options INTERFACE)
target_compile_features(havln_options INTERFACE cxx_std_20)
target_compile_options(
    havln_options INTERFACE -ffp-contract=off -fno-fast-math -Wall -Wextra -Wpedantic -Wshadow
                            -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual)
if(HAVLN_WERROR)
    target_compile_options(havln_options INTERFACE -Werror)
endif()
if(HAVLN_SANITIZE)
    string(REPLACE ";" "," _sanitizers "${HAVLN_SANITIZE}")
    target_compile_options(
        havln_options INTERFACE -fsanitize=${_sanitizers} -fno-sanitize-recover=all
                                -fno-omit-frame-pointer)
    target_link_options(havln_options INTERFACE -fsanitize=${_sanitizers})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Under sanitizers GCC 12 takes libstdc++'s own <regex> for uninitialised.
        target_compile_options(havln_options INTERFACE -Wno-maybe-uninitialized)
    endif()
endif()
if(HAVLN_BUILD_FUZZERS)
    # Coverage feedback from the library itself, not only from the fuzz target.
    target_compile_options(havln_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
