# `cpack` makes havln_VERSION_ARCH.deb, libhavln-dev_VERSION_ARCH.deb and one .tar.gz with both.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME havln)
set(CPACK_PACKAGE_VENDOR havln)
set(HAVLN_PACKAGE_CONTACT "havln maintainers <havln@localhost>" CACHE STRING "Maintainer of the .deb")
set(CPACK_PACKAGE_CONTACT "${HAVLN_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "scorer for embodied-navigation challenge submissions")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_COMPONENTS_GROUPING IGNORE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME havln)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
    "Checks submissions to the HA-VLN challenge, replays their actions as Habitat\n\
does, and says what they score and why. Needs neither simulator nor GPU.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libhavln-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libzip-dev, librecast-dev, libfmt-dev, libssl-dev, zlib1g-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "Headers, static library and CMake package of the havln scorer:\n\
find_package(havln), then link havln::core.")
include(CPack)
