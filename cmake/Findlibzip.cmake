# Finds libzip by header and library. Debian's own CMake config of libzip refuses to load
# unless the command-line tools zipcmp, zipmerge and ziptool are installed too.
#
# Target:     libzip::zip
# Variables:  libzip_FOUND, libzip_INCLUDE_DIR, libzip_LIBRARY
find_path(libzip_INCLUDE_DIR NAMES zip.h)
find_path(libzip_CONFIG_INCLUDE_DIR NAMES zipconf.h)
find_library(libzip_LIBRARY NAMES zip)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
    libzip REQUIRED_VARS libzip_LIBRARY libzip_INCLUDE_DIR libzip_CONFIG_INCLUDE_DIR)

if(libzip_FOUND AND NOT TARGET libzip::zip)
    add_library(libzip::zip UNKNOWN IMPORTED)
    set_target_properties(
        libzip::zip
        PROPERTIES IMPORTED_LOCATION "${libzip_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                   "${libzip_INCLUDE_DIR};${libzip_CONFIG_INCLUDE_DIR}")
endif()
mark_as_advanced(libzip_INCLUDE_DIR libzip_CONFIG_INCLUDE_DIR libzip_LIBRARY)
