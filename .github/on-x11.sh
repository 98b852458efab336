#!/bin/sh
# Runs a command on a new X display, with a window manager that can place, minimize and focus windows. Needs xvfb, xauth,
# openbox and x11-utils.
exec xvfb-run --auto-servernum --server-args="-screen 0 1920x1080x24" sh -c '
  openbox &
  # Waits up to 30 s: a window that came first would have no frame.
  tries=300
  until xprop -root _NET_SUPPORTING_WM_CHECK | grep -q "window id"; do
    tries=$((tries - 1))
    if [ "$tries" -eq 0 ] || ! kill -0 $! 2> /dev/null; then
      echo "openbox did not start" >&2
      exit 1
    fi
    sleep 0.1
  done
  exec "$@"
' sh "$@"
