#!/bin/sh
# Runs a command on a new headless Wayland compositor, without X.
set -eu
XDG_RUNTIME_DIR=$(mktemp -d)
export XDG_RUNTIME_DIR XDG_SESSION_TYPE=wayland WAYLAND_DISPLAY=wayland-vignette
unset DISPLAY

weston --backend=headless-backend.so --socket="$WAYLAND_DISPLAY" --width=1920 --height=1080 --idle-time=0 \
  > "$XDG_RUNTIME_DIR/weston.log" 2>&1 &
weston=$!
trap 'kill "$weston" 2> /dev/null || true; rm -rf "$XDG_RUNTIME_DIR"' EXIT

# Waits up to 30 s.
tries=300
until [ -S "$XDG_RUNTIME_DIR/$WAYLAND_DISPLAY" ]; do
  tries=$((tries - 1))
  if [ "$tries" -eq 0 ] || ! kill -0 "$weston" 2> /dev/null; then
    cat "$XDG_RUNTIME_DIR/weston.log" >&2
    exit 1
  fi
  sleep 0.1
done
"$@"
