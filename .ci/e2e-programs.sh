#!/usr/bin/env bash
# Installs the Debian packages that `npm run test:e2e` and the benchmark need, unless they are installed.
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin:/sbin

packages=()
command -v redis-server >/dev/null || packages+=(redis-server)
command -v redis-cli >/dev/null || packages+=(redis-tools)
command -v pgbouncer >/dev/null || packages+=(pgbouncer)
command -v haproxy >/dev/null || packages+=(haproxy)
command -v nginx >/dev/null || packages+=(nginx-light)
command -v caddy >/dev/null || packages+=(caddy)
command -v nft >/dev/null || packages+=(nftables)
command -v systemd-socket-activate >/dev/null || packages+=(systemd)
command -v systemd-nspawn >/dev/null || packages+=(systemd-container)
command -v ip >/dev/null || packages+=(iproute2)
command -v wrk >/dev/null || packages+=(wrk)
command -v sqlite3 >/dev/null || packages+=(sqlite3)
command -v pg_dump >/dev/null || packages+=(postgresql-client)
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || packages+=(postgresql)

if [ ${#packages[@]} -gt 0 ]; then
  root=$([ "$(id -u)" = 0 ] || echo sudo)
  # RUNLEVEL keeps packages from starting servers.
  $root apt-get update -qq
  $root env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
fi

# The servers behind proxies use SQLite, so they need a newer Node than 20.
[ -d .ci/runtimes/node_modules ] || npm ci --ignore-scripts --prefix .ci/runtimes
