#!/bin/sh
# Runs a command in a new D-Bus session of GNOME, whose keyring is new and open: what a member has after signing in to the
# desktop. Needs dbus and gnome-keyring. The keyring of the desktop stays as it is.
set -eu
keyring=$(mktemp -d)
export keyring XDG_CURRENT_DESKTOP=GNOME
# The daemon ends shortly after its session.
trap 'rm -rf "$keyring" 2> /dev/null || { sleep 1; rm -rf "$keyring"; } || true' EXIT
dbus-run-session -- sh -ec '
  printf vignette | XDG_DATA_HOME="$keyring" gnome-keyring-daemon --unlock --components=secrets \
    --control-directory="$keyring/control" > /dev/null
  # Waits up to 30 s: D-Bus would start another, closed keyring for a program that asks earlier.
  tries=300
  until dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \
    string:org.freedesktop.secrets | grep -q "boolean true"; do
    tries=$((tries - 1))
    if [ "$tries" -eq 0 ]; then
      echo "the keyring did not open" >&2
      exit 1
    fi
    sleep 0.1
  done
  exec "$@"
' sh "$@"
