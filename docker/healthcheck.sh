#!/bin/sh
# The image's health check: asks the server of this container, without starting Node each time. It knows the port and the address from
# the environment alone; where a file of settings changes them, set them there too.
port=${MAILKEEL_HTTP_PORT:-8080}
case ${MAILKEEL_HTTP_HOST:-0.0.0.0} in
  0.0.0.0 | ::) host=127.0.0.1 ;;
  *:*) host="[$MAILKEEL_HTTP_HOST]" ;;
  *) host=$MAILKEEL_HTTP_HOST ;;
esac
exec wget -q -T 4 -O /dev/null "http://$host:$port/healthz"
