#!/bin/sh
# pack.sh: compiles servo.c and packs servo.fmu.
set -e
cd "$(dirname "$0")"
mkdir -p binaries/linux64
cc -O2 -shared -fPIC -o binaries/linux64/servo.so servo.c -lm
rm -f servo.fmu
cmake -E tar cf servo.fmu --format=zip modelDescription.xml binaries
