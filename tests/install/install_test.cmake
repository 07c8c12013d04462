# See CMakeLists.txt.
file(REMOVE_RECURSE ${WORK})
execute_process(
    COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component development --prefix ${WORK}/prefix
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G ${GENERATOR}
            -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${WORK}/prefix
            -DCMAKE_BUILD_TYPE=Release
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build OUTPUT_QUIET
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/build/consumer OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
set(expected "havln ${VERSION}: val_seen 778, val_unseen 1839, test 3408; SPL 0.5\n")
if(NOT said STREQUAL expected)
    message(FATAL_ERROR "the consumer said\n  ${said}expected\n  ${expected}")
endif()
