#!/bin/sh
# Runs a command on an X display of its own. The window manager minimizes windows and gives them the focus.
exec xvfb-run --auto-servernum --server-args="-screen 0 1920x1080x24" sh -c 'openbox & exec "$@"' sh "$@"
