# Finds Recast and Detour (Debian's librecast-dev ships neither a .pc nor a CMake config).
#
# Targets:    Recast::Recast, Recast::Detour
# Variables:  Recast_FOUND, Recast_INCLUDE_DIR, Recast_RECAST_LIBRARY, Recast_DETOUR_LIBRARY
find_path(Recast_INCLUDE_DIR NAMES DetourNavMesh.h PATH_SUFFIXES recastnavigation recast)
find_library(Recast_RECAST_LIBRARY NAMES Recast)
find_library(Recast_DETOUR_LIBRARY NAMES Detour)

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
