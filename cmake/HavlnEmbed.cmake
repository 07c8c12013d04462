# havln_embed(TARGET SYMBOL FILE...): at build time turns data files into one C++ source of TARGET
# that defines
#   extern const havln::EmbeddedFile SYMBOL[]; extern const std::size_t SYMBOL_count;
# so that an installed binary needs no data folder. The file's name without folder is its key.
function(havln_embed target symbol)
    set(out_cpp ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp)
    add_custom_command(
        OUTPUT ${out_cpp}
        COMMAND ${CMAKE_COMMAND} -DOUT=${out_cpp} -DSYMBOL=${symbol} "-DFILES=${ARGN}" -P
                ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
        DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
        COMMENT "Embedding ${symbol}"
        VERBATIM)
    # The rule is known in this folder only; TARGET may be made in another one.
    add_custom_target(embed_${symbol} DEPENDS ${out_cpp})
    add_dependencies(${target} embed_${symbol})
    target_sources(${target} PRIVATE ${out_cpp})
    set_source_files_properties(
        ${out_cpp} TARGET_DIRECTORY ${target} PROPERTIES GENERATED TRUE)
endfunction()
