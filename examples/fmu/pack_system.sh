#!/bin/sh
# pack_system.sh: packs servos.ssp, a system of three FMUs.
set -e
cd "$(dirname "$0")"
./pack.sh
mkdir -p resources
cp servo.fmu resources
rm -f servos.ssp
cmake -E tar cf servos.ssp --format=zip SystemStructure.ssd resources
rm -r resources
