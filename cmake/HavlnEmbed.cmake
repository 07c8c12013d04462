# havln_embed(OUT_CPP NAMESPACE_SYMBOL FILE...): at build time turns data files into one C++ source
# that defines
#   extern const havln::EmbeddedFile SYMBOL[]; extern const std::size_t SYMBOL_count;
# so that an installed binary needs no data folder. The file's name without folder is its key.
function(havln_embed out_cpp symbol)
    add_custom_command(
        OUTPUT ${out_cpp}
        COMMAND ${CMAKE_COMMAND} -DOUT=${out_cpp} -DSYMBOL=${symbol} "-DFILES=${ARGN}" -P
                ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
        DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
        COMMENT "Embedding ${symbol}"
        VERBATIM)
endfunction()
