import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { describe } from 'node:test'
import { allOf, mapPart, type Part, required, testWith } from '../../contracts/testing/part.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { nodeWithSqlite, program } from '../../examples/testing/parts.ts'
import { unlimited } from '../testing/animals.ts'
import { type LaunchedServer, launch, launchServer, main } from '../testing/launch.ts'
import { assertListed, assertRejected, endureStorage } from './testing/endure.ts'

const newFile = temporaryFiles()

function startServer(node: string, file: string): Promise<LaunchedServer> {
  return launchServer(`--port 0 --log silent --data ${file}`, { env: unlimited, node })
}

testWith(required(nodeWithSqlite))(
  'a file of SQLite that is gone for three seconds loses no animal that has its 201',
  async (t, node) => {
    const file = newFile()
    const endured = await endureStorage(t, await startServer(node, file), {
      fail: () => renameSync(file, `${file}-elsewhere`),
      ms: 3_000,
      repair: () => renameSync(`${file}-elsewhere`, file),
    })
    assertRejected(endured.create)
    assert.ok((endured.list.results[503] ?? 0) > 0)
  },
)

testWith(required(allOf(nodeWithSqlite, program('sqlite3'))))(
  'while another program locks the file of SQLite for ten seconds, creations are rejected and every list works',
  async (t, [node, sqlite3]) => {
    const file = newFile()
    const server = await startServer(node, file)
    const other = spawn(sqlite3, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
    const endured = await endureStorage(t, server, {
      async fail() {
        other.stdin.write('.timeout 5000\nBEGIN IMMEDIATE;\nSELECT 1;\n')
        await once(other.stdout, 'data')
      },
      readyz: 'works',
      ms: 10_000,
      async repair() {
        other.stdin.end('ROLLBACK;\n')
        await once(other, 'exit')
      },
    })
    assertListed(endured)
  },
)

testWith(required(allOf(nodeWithSqlite, program('prlimit'))))(
  'while the disk of SQLite reports errors, creations are rejected and every list works',
  async (t, [node, prlimit]) => {
    const server = await startServer(node, newFile())
    const limit = (bytes: string) =>
      execFileSync(prlimit, ['--pid', String(server.child.pid), `--fsize=${bytes}:unlimited`])
    const endured = await endureStorage(t, server, {
      fail: () => limit('4096'), // less than the write-ahead log has, so that each write fails with EFBIG
      readyz: 'works',
      ms: 3_000,
      repair: () => limit('unlimited'),
    })
    assertListed(endured)
  },
)

/** A Node whose files of one folder are on a disk of 64 megabytes. */
interface SmallDisk {
  readonly node: string
  readonly folder: string
}

const smallDisk = mapPart(nodeWithSqlite, (node): SmallDisk => {
  const folder = newFile('disk')
  mkdirSync(folder)
  const path = newFile('node')
  const mount = `mount -t tmpfs -o size=64m tmpfs ${folder} && exec ${node} "$@"`
  writeFileSync(path, `#!/bin/sh\nexec unshare --mount --map-root-user sh -c '${mount}' sh "$@"\n`)
  chmodSync(path, 0o755)
  return { node: path, folder }
})

/** Returns true if this machine lets every user mount a disk. */
function mounting(): Part<true> {
  const { status, stderr } = spawnSync('unshare', ['--mount', '--map-root-user', 'true'])
  return status === 0 ? { value: true } : { absent: `this machine has no mount namespaces: ${stderr}` }
}

testWith(required(allOf(smallDisk, mounting())))(
  'while the disk of SQLite is full, creations are rejected and every list works, and no animal is lost',
  async (t, [{ node, folder }]) => {
    const server = await startServer(node, `${folder}/animals.sqlite`)
    const filler = `/proc/${server.child.pid}/root${folder}/filler`
    const endured = await endureStorage(t, server, {
      fail: () => assert.throws(() => writeFileSync(filler, Buffer.alloc(80_000_000)), { code: 'ENOSPC' }),
      readyz: 'works',
      ms: 3_000,
      repair: () => rmSync(filler),
    })
    assertListed(endured)
  },
)

/** Disks that cannot be used: the command that prepares each, and the error of the start. */
const badDisks: Readonly<Record<string, readonly [prepare: string, message: RegExp]>> = {
  'a full disk with a file': [
    '$NODE $MAIN migrate --data $FILE && dd if=/dev/zero of=$FILE-filler bs=1k status=none; true',
    /animals\.sqlite is on a full disk: free some disk space$/m,
  ],
  'a full disk without a file': [
    'dd if=/dev/zero of=$FILE-filler bs=1k status=none; true',
    /animals\.sqlite has no room left: free some disk space/,
  ],
  'a read-only file system': [
    'mount -o remount,ro $FOLDER',
    /animals\.sqlite is on a read-only file system: name a file on another one$/m,
  ],
}

describe('a start on', () => {
  const it = testWith(required(allOf(nodeWithSqlite, mounting())))
  for (const [disk, [prepare, message]] of Object.entries(badDisks))
    it(`${disk} names the cause`, async (_t, [node]) => {
      const folder = newFile('disk')
      mkdirSync(folder)
      const script = newFile('node')
      const variables = `NODE=${node} MAIN=${main} FOLDER=${folder} FILE=${folder}/animals.sqlite`
      const mount = `${variables}; mount -t tmpfs -o size=1m tmpfs ${folder} && { ${prepare}; } && exec ${node} "$@"`
      writeFileSync(script, `#!/bin/sh\nexec unshare --mount --map-root-user sh -c '${mount}' sh "$@"\n`)
      chmodSync(script, 0o755)
      const { end, stderr } = launch(`--port 0 --data ${folder}/animals.sqlite`, { node: script })
      assert.equal(await end, 1)
      assert.match(stderr.text, message)
    })
})
