# havln_add_test(STAGE SOURCES...): one Catch2 executable per stage, one ctest entry per test case.
# Tests read the optional reference data at ../shared (HAVLN_SHARED_DIR) and skip loudly without it.
find_package(Catch2 REQUIRED)
include(Catch)

function(havln_add_test stage)
    set(target test_${stage})
    add_executable(${target} ${ARGN})
    target_link_libraries(${target} PRIVATE havln_options havln::core havln_test_support)
    target_precompile_headers(${target} REUSE_FROM havln_test_support)
    catch_discover_tests(
        ${target}
        TEST_PREFIX "${stage}: "
        PROPERTIES LABELS ${stage} SKIP_REGULAR_EXPRESSION "SKIPPED: " TIMEOUT 600)
endfunction()
