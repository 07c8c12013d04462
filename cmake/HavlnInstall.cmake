# What `cmake --install` puts where. Two components: runtime (commands, their man pages and
# completions, data, documents) and development (headers, library, CMake config package).
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME runtime)
set(HAVLN_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/havln)

# havln_install_description(COMMAND): man page and shell completions of an executable, written by
# itself when it is installed. Left out when cross-compiling and where gzip is absent.
function(havln_install_description command)
    find_program(HAVLN_GZIP gzip)
    mark_as_advanced(HAVLN_GZIP)
    if(CMAKE_CROSSCOMPILING OR NOT HAVLN_GZIP)
        return()
    endif()
    install(
        CODE "execute_process(
                COMMAND \"${CMAKE_COMMAND}\" \"-DCOMMAND=$<TARGET_FILE:${command}>\"
                        \"-DOUT=${PROJECT_BINARY_DIR}/descriptions\" \"-DGZIP=${HAVLN_GZIP}\"
                        -P \"${PROJECT_SOURCE_DIR}/cmake/describe_command.cmake\"
                COMMAND_ERROR_IS_FATAL ANY)")
    install(FILES ${PROJECT_BINARY_DIR}/descriptions/man/${command}.1.gz
            DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${PROJECT_BINARY_DIR}/descriptions/bash/${command}
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${PROJECT_BINARY_DIR}/descriptions/zsh/_${command}
            DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
    install(FILES ${PROJECT_BINARY_DIR}/descriptions/fish/${command}.fish
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endfunction()

# The library with its headers, for find_package(havln).
function(havln_install_library)
    install(
        TARGETS havln_core
        EXPORT havln-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
    install(
        DIRECTORY ${PROJECT_SOURCE_DIR}/include/havln
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development)
    install(
        EXPORT havln-targets
        NAMESPACE havln::
        DESTINATION ${HAVLN_CMAKE_DIR}
        COMPONENT development)
    configure_package_config_file(
        ${PROJECT_SOURCE_DIR}/cmake/havln-config.cmake.in ${PROJECT_BINARY_DIR}/havln-config.cmake
        INSTALL_DESTINATION ${HAVLN_CMAKE_DIR})
    write_basic_package_version_file(
        ${PROJECT_BINARY_DIR}/havln-config-version.cmake COMPATIBILITY SameMinorVersion)
    install(
        FILES ${PROJECT_BINARY_DIR}/havln-config.cmake
              ${PROJECT_BINARY_DIR}/havln-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/Findlibzip.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindRecast.cmake
        DESTINATION ${HAVLN_CMAKE_DIR}
        COMPONENT development)
endfunction()

# The commands have what they need of data/ compiled in; it is installed for people to read and copy.
function(havln_install_data)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/ DESTINATION ${CMAKE_INSTALL_DATADIR}/havln)
    install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
    havln_install_notices(runtime ${CMAKE_INSTALL_DOCDIR})
    havln_install_notices(development ${CMAKE_INSTALL_DATAROOTDIR}/doc/libhavln-dev)
endfunction()

# Licence and changes, where Debian looks for a package's own.
function(havln_install_notices component folder)
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${folder} RENAME copyright
            COMPONENT ${component})
    find_program(HAVLN_GZIP gzip)
    mark_as_advanced(HAVLN_GZIP)
    if(HAVLN_GZIP)
        file(COPY ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${PROJECT_BINARY_DIR}/notices)
        execute_process(COMMAND ${HAVLN_GZIP} -9nf ${PROJECT_BINARY_DIR}/notices/CHANGELOG.md)
        install(FILES ${PROJECT_BINARY_DIR}/notices/CHANGELOG.md.gz DESTINATION ${folder}
                RENAME changelog.gz COMPONENT ${component})
    endif()
endfunction()
