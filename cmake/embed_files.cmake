# Script behind havln_embed(); see HavlnEmbed.cmake.
set(body "#include \"io/embedded.h\"\nnamespace havln {\n")
set(table "")
set(index 0)
foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    file(READ ${file} hex HEX)
    string(LENGTH "${hex}" digits)
    math(EXPR bytes "${digits} / 2")
    string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
    string(APPEND body "static const unsigned char ${SYMBOL}_${index}[] = {\n${hex}0};\n")
    string(APPEND table
           "    {\"${name}\", {reinterpret_cast<const char*>(${SYMBOL}_${index}), ${bytes}}},\n")
    math(EXPR index "${index} + 1")
endforeach()
string(APPEND body "extern const EmbeddedFile ${SYMBOL}[] = {\n${table}};\n"
       "extern const std::size_t ${SYMBOL}_count = ${index};\n}  // namespace havln\n")
file(WRITE ${OUT} "${body}")
