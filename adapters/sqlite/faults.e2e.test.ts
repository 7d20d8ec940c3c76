import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { describe } from 'node:test'
import {
  combineResources,
  mapResource,
  type Resource,
  requireOnCi,
  testWith,
} from '../contracts/testing/resource.ts'
import { createFileNamer } from '../contracts/testing/sqlite.ts'
import { findProgram, nodeWithSqlite } from '../examples/testing/parts.ts'
import { assertReadOnly, assertRejected, runStorageFault } from '../standalone/faults/testing/run-fault.ts'
import { unlimitedEnv } from '../standalone/testing/animals.ts'
import {
  faultProgram,
  type LaunchedServer,
  launch,
  launchServer,
  mainFile,
} from '../standalone/testing/launch.ts'

const newFile = createFileNamer()

function startServer(node: string, file: string): Promise<LaunchedServer> {
  return launchServer(`--port 0 --log silent --data ${file}`, {
    env: unlimitedEnv,
    node,
    program: faultProgram,
  })
}

testWith(requireOnCi(nodeWithSqlite))(
  'a server loses no animal when its SQLite file disappears for 3 s',
  async (t, node) => {
    const file = newFile()
    const endured = await runStorageFault(t, await startServer(node, file), {
      fail: () => renameSync(file, `${file}-elsewhere`),
      durationMs: 3_000,
      repair: () => renameSync(`${file}-elsewhere`, file),
    })
    assertRejected(endured.create)
    assert.ok((endured.list.results[503] ?? 0) > 0)
  },
)

testWith(requireOnCi(combineResources(nodeWithSqlite, findProgram('sqlite3'))))(
  'a server lists animals while another program locks its SQLite file',
  async (t, [node, sqlite3]) => {
    const file = newFile()
    const server = await startServer(node, file)
    const other = spawn(sqlite3, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
    const endured = await runStorageFault(t, server, {
      async fail() {
        other.stdin.write('.timeout 5000\nBEGIN IMMEDIATE;\nSELECT 1;\n')
        await once(other.stdout, 'data')
      },
      readyz: 'works',
      durationMs: 10_000,
      async repair() {
        other.stdin.end('ROLLBACK;\n')
        await once(other, 'exit')
      },
    })
    assertReadOnly(endured)
  },
)

testWith(requireOnCi(combineResources(nodeWithSqlite, findProgram('prlimit'))))(
  'a server lists animals while the disk with its SQLite file fails',
  async (t, [node, prlimit]) => {
    const server = await startServer(node, newFile())
    const limit = (bytes: string) =>
      execFileSync(prlimit, ['--pid', String(server.child.pid), `--fsize=${bytes}:unlimited`])
    const endured = await runStorageFault(t, server, {
      fail: () => limit('4096'), // smaller than the write-ahead log, so that each write fails with EFBIG
      readyz: 'works',
      durationMs: 3_000,
      repair: () => limit('unlimited'),
    })
    assertReadOnly(endured)
  },
)

/** A Node command that sees a 64 MB disk in a folder. */
interface SmallDisk {
  readonly node: string
  readonly folder: string
}

const smallDisk = mapResource(nodeWithSqlite, (node): SmallDisk => {
  const folder = newFile('disk')
  mkdirSync(folder)
  const path = newFile('node')
  const mount = `mount -t tmpfs -o size=64m tmpfs ${folder} && exec ${node} "$@"`
  writeFileSync(path, `#!/bin/sh\nexec unshare --mount --map-root-user sh -c '${mount}' sh "$@"\n`)
  chmodSync(path, 0o755)
  return { node: path, folder }
})

/** Checks whether this machine supports mount namespaces. */
function requireMounts(): Resource<true> {
  const { status, stderr } = spawnSync('unshare', ['--mount', '--map-root-user', 'true'])
  return status === 0 ? { value: true } : { absent: `this machine has no mount namespaces: ${stderr}` }
}

testWith(requireOnCi(combineResources(smallDisk, requireMounts())))(
  'a server lists animals while the disk with its SQLite file is full',
  async (t, [{ node, folder }]) => {
    const server = await startServer(node, `${folder}/animals.sqlite`)
    const filler = `/proc/${server.child.pid}/root${folder}/filler`
    const endured = await runStorageFault(t, server, {
      fail: () => assert.throws(() => writeFileSync(filler, Buffer.alloc(80_000_000)), { code: 'ENOSPC' }),
      readyz: 'works',
      durationMs: 3_000,
      repair: () => rmSync(filler),
    })
    assertReadOnly(endured)
  },
)

/** The commands that prepare a bad disk, and the expected message. */
const badDisks: Readonly<Record<string, readonly [prepare: string, message: RegExp]>> = {
  'a full disk with a SQLite file': [
    '$NODE $MAIN migrate --data $FILE && dd if=/dev/zero of=$FILE-filler bs=1k status=none; true',
    /animals\.sqlite (?:cannot be read or written|has no space left|cannot be opened).*: .*(?:full|I\/O error|unable to open)/m,
  ],
  'a full disk without a SQLite file': [
    'dd if=/dev/zero of=$FILE-filler bs=1k status=none; true',
    /animals\.sqlite has no space left: free some disk space/,
  ],
  'a read-only file system': [
    'mount -o remount,ro $FOLDER',
    /animals\.sqlite cannot be (?:written|opened).*: .*(?:readonly|unable to open)/m,
  ],
}

describe('a server that starts on a bad disk', () => {
  const it = testWith(requireOnCi(combineResources(nodeWithSqlite, requireMounts())))
  for (const [disk, [prepare, message]] of Object.entries(badDisks))
    it(`reports ${disk}`, async (_t, [node]) => {
      const folder = newFile('disk')
      mkdirSync(folder)
      const script = newFile('node')
      const variables = `NODE=${node} MAIN=${mainFile} FOLDER=${folder} FILE=${folder}/animals.sqlite`
      const mount = `${variables}; mount -t tmpfs -o size=1m tmpfs ${folder} && { ${prepare}; } && exec ${node} "$@"`
      writeFileSync(script, `#!/bin/sh\nexec unshare --mount --map-root-user sh -c '${mount}' sh "$@"\n`)
      chmodSync(script, 0o755)
      const { end, stderr } = launch(`--port 0 --data ${folder}/animals.sqlite`, { node: script })
      assert.equal(await end, 1)
      assert.match(stderr.text, message)
    })
})
