# cmake -D PROGRAM=... -D FOLDER=... -P WriteShare.cmake: what the program writes about itself, as CosimoShare.cmake installs it.
file(MAKE_DIRECTORY ${FOLDER})

function(write file)
  execute_process(COMMAND ${PROGRAM} ${ARGN} OUTPUT_FILE ${FOLDER}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(compress file)
  execute_process(COMMAND gzip -9nf ${FOLDER}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(shell bash zsh fish)
  write(${shell} completion ${shell})
endforeach()
write(cosimo.1 help --man)
file(WRITE ${FOLDER}/cosimo-study.1 ".so man1/cosimo.1\n")
compress(cosimo.1)
compress(cosimo-study.1)
