#!/usr/bin/env bash
# Checks /metrics of the built server, its alert rules and dashboard with promtool, which comes from Debian's package if
# the machine does not have it.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
promtool=$(command -v promtool || true)
if [ -z "$promtool" ]; then
  apt-get update -qq
  (cd "$folder" && apt-get download -qq prometheus && dpkg-deb -x prometheus_*.deb .)
  promtool=$folder/usr/bin/promtool
fi

node .ci/metrics.mjs >"$folder/metrics"
"$promtool" check metrics <"$folder/metrics"
"$promtool" check rules adapters/standalone/alerts.yml
"$promtool" test rules adapters/standalone/alerts.test.yml
node .ci/metrics.mjs --dashboard >"$folder/dashboard.yml"
"$promtool" check rules "$folder/dashboard.yml"
echo "promtool finds nothing in $(grep -c '^# TYPE' "$folder/metrics") families"
