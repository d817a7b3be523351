# cmake -D NPM= -D SOURCE= -D FOLDER= -D OMIT= -D STAMP= -P: `npm ci` of SOURCE's lock file in FOLDER.
# Says what to do when it fails: mostly there is no network.
file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION ${FOLDER})
set(omit)
if(OMIT)
  set(omit --omit=${OMIT})
endif()
execute_process(
  COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --no-update-notifier --prefer-offline --loglevel=error ${omit}
  WORKING_DIRECTORY ${FOLDER} RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(failed)
  file(WRITE ${FOLDER}/npm.log "${said}")
  string(REGEX MATCH "(request to |getaddrinfo |integrity |notarget |E[A-Z]+)[^\n]*" reason "${said}")
  message(FATAL_ERROR
    "The packages of the report page could not be installed: ${reason}\n"
    "All that npm said is in ${FOLDER}/npm.log. It needs its registry once: `npm config set registry URL` names "
    "another one, `npm config set proxy URL` a proxy.\n"
    "To build without the page: -DCOSIMO_PAGE=OFF")
endif()
file(TOUCH ${STAMP})
