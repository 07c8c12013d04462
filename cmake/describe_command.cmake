# Script behind havln_install_description(): asks COMMAND for its man page and completions and
# leaves them below OUT.
get_filename_component(name ${COMMAND} NAME)
file(MAKE_DIRECTORY ${OUT}/man ${OUT}/bash ${OUT}/zsh ${OUT}/fish)
execute_process(
    COMMAND ${COMMAND} --manual OUTPUT_FILE ${OUT}/man/${name}.1 COMMAND_ERROR_IS_FATAL ANY)
# -n: neither name nor time, so that equal pages are equal files.
execute_process(COMMAND ${GZIP} -9nf ${OUT}/man/${name}.1 COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${COMMAND} --completion bash OUTPUT_FILE ${OUT}/bash/${name}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${COMMAND} --completion zsh OUTPUT_FILE ${OUT}/zsh/_${name}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${COMMAND} --completion fish OUTPUT_FILE ${OUT}/fish/${name}.fish
                COMMAND_ERROR_IS_FATAL ANY)
