#!/bin/sh
# The image's health check. It queries the server of this container without starting Node each time. It reads port and address
# from the environment only, so if a settings file changes them, set them there as well.
port=${MAILKEEL_HTTP_PORT:-8080}
case ${MAILKEEL_HTTP_HOST:-0.0.0.0} in
  0.0.0.0 | ::) host=127.0.0.1 ;;
  *:*) host="[$MAILKEEL_HTTP_HOST]" ;;
  *) host=$MAILKEEL_HTTP_HOST ;;
esac
exec wget -q -T 4 -O /dev/null "http://$host:$port/healthz"
