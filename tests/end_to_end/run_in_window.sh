#!/usr/bin/env bash
# Runs a command on a screen of its own, with a session bus for accessibility and a window manager.
set -u
exec xvfb-run -a -s "-screen 0 1400x900x24" dbus-run-session -- bash -c '
  export QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1 QT_QPA_PLATFORM=xcb XDG_RUNTIME_DIR=$(mktemp -d) XDG_CONFIG_HOME=$(mktemp -d)
  openbox >/dev/null 2>&1 &
  "$@"' -- "$@"
