#!/usr/bin/env bash
# Installs, from Debian's packages, the programs that `npm run test:e2e`, the benchmark and the other stacks start and that
# the machine lacks.
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
command -v go >/dev/null || packages+=(golang-go)
command -v sqlite3 >/dev/null || packages+=(sqlite3)
command -v pg_dump >/dev/null || packages+=(postgresql-client)
compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || packages+=(postgresql)

if [ ${#packages[@]} -gt 0 ]; then
  root=$([ "$(id -u)" = 0 ] || echo sudo)
  # RUNLEVEL keeps the packages from starting servers of their own.
  $root apt-get update -qq
  $root env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"
fi

# The servers behind the proxies store animals in SQLite, which Node 20 does not have.
[ -d .ci/runtimes/node_modules ] || npm ci --ignore-scripts --prefix .ci/runtimes
