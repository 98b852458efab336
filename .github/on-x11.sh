#!/bin/sh
# Runs a command on a new X display, with a window manager that can minimize and focus windows.
exec xvfb-run --auto-servernum --server-args="-screen 0 1920x1080x24" sh -c 'openbox & exec "$@"' sh "$@"
