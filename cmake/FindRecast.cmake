# Finds Recast and Detour (Debian's librecast-dev ships neither a .pc nor a CMake config).
#
# Targets:    Recast::Recast, Recast::Detour
# Variables:  Recast_FOUND, Recast_INCLUDE_DIR, Recast_RECAST_LIBRARY, Recast_DETOUR_LIBRARY,
#             Recast_VERSION (its headers name none: asked of the package; "unknown" failing that)
find_path(Recast_INCLUDE_DIR NAMES DetourNavMesh.h PATH_SUFFIXES recastnavigation recast)
find_library(Recast_RECAST_LIBRARY NAMES Recast)
find_library(Recast_DETOUR_LIBRARY NAMES Detour)

if(NOT Recast_VERSION)
    execute_process(
        COMMAND dpkg-query -W "-f=\${Version}" librecast-dev
        OUTPUT_VARIABLE Recast_VERSION
        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    # Without Debian's own revision, which does not change what is computed.
    string(REGEX REPLACE "-[^-]*$" "" Recast_VERSION "${Recast_VERSION}")
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND AND Recast_VERSION STREQUAL "")
        pkg_check_modules(PC_Recast QUIET recastnavigation)
        set(Recast_VERSION "${PC_Recast_VERSION}")
    endif()
    if(Recast_VERSION STREQUAL "")
        set(Recast_VERSION "unknown")
    endif()
endif()
set(Recast_VERSION "${Recast_VERSION}" CACHE STRING "Version of Recast and Detour, for signatures")

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
    Recast REQUIRED_VARS Recast_RECAST_LIBRARY Recast_DETOUR_LIBRARY Recast_INCLUDE_DIR)

foreach(component Recast Detour)
    if(Recast_FOUND AND NOT TARGET Recast::${component})
        string(TOUPPER ${component} upper)
        add_library(Recast::${component} UNKNOWN IMPORTED)
        set_target_properties(
            Recast::${component}
            PROPERTIES IMPORTED_LOCATION "${Recast_${upper}_LIBRARY}"
                       INTERFACE_INCLUDE_DIRECTORIES "${Recast_INCLUDE_DIR}")
    endif()
endforeach()
mark_as_advanced(Recast_INCLUDE_DIR Recast_RECAST_LIBRARY Recast_DETOUR_LIBRARY)
