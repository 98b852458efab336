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
  exec "$@"
' sh "$@"
