import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type KeyRecord, sha256 } from '../../../core/index.ts'
import { createFileNamer } from '../../contracts/testing/sqlite.ts'
import { missingFeatures } from '../../testing/machine.ts'
import { createKeyList, type KeyList } from './key-list.ts'
import { type KeysFile, openKeysFile } from './keys-file.ts'
import { readKeysFile } from './read-keys-file.ts'

const newFile = createFileNamer()

function writeTextFile(text: string): string {
  const path = newFile('keys.json')
  writeFileSync(path, text)
  return path
}

const writeKeysFile = (keys: readonly object[], more = {}) => writeTextFile(JSON.stringify({ keys, ...more }))

async function open(path: string, clock = Date.now): Promise<{ file: KeysFile; logged: string[] }> {
  const logged: string[] = []
  const add = (_event: string, message: string) => void logged.push(message)
  return { file: await openKeysFile(path, clock, { info: add, warning: add, error: add }), logged }
}

const first: KeyRecord = { id: 'first', sha256: sha256('1'), plan: 'pro', createdAt: '2026-02-01' }
const second: KeyRecord = { id: 'second', sha256: sha256('2'), plan: 'free', label: 'of the second' }

describe('a keys file', () => {
  it('keeps the previous keys if the new content is invalid', async () => {
    const path = writeTextFile(`\ufeff${JSON.stringify({ keys: [first] })}`)
    const { file, logged } = await open(path)
    file.close() // only reload() reads the file
    writeFileSync(path, JSON.stringify({ keys: [second, { ...first, expiresAt: '2026-01-01T00:00:00Z' }] }))
    assert.ok(file.store.find('1'))
    await file.reload()
    assert.equal(file.store.find('1'), undefined)
    assert.deepEqual(file.store.find('2'), { id: 'second', plan: 'free' })
    const { issued, inForce } = await file.figures()
    assert.deepEqual([issued, inForce], [2, 1])
    writeFileSync(path, '{ "keys": [')
    await file.reload()
    assert.ok(file.store.find('2'))
    assert.equal((await file.figures()).isFileValid, false)
    assert.deepEqual(logged, [
      `read 1 key from ${path}`,
      `read 2 keys from ${path}`,
      `keys file ${path}: not JSON: a tool such as jq shows the line; the previous keys stay valid`,
    ])
  })

  it('is read again when it is replaced', async () => {
    const path = writeKeysFile([second])
    const { file, logged } = await open(path)
    rmSync(path)
    while (logged.length < 2) await setTimeout(50)
    assert.ok(file.store.find('2'))
    assert.equal((await file.figures()).isFileValid, false)
    writeFileSync(`${path}.new`, '{ "keys": [] }')
    renameSync(`${path}.new`, path)
    while (logged.length < 3) await setTimeout(50)
    assert.equal((await file.figures()).isFileValid, true)
    file.close()
    assert.deepEqual(logged, [
      `read 1 key from ${path}`,
      `keys file ${path}: ENOENT: no such file or directory, stat '${path}'; the previous keys stay valid`,
      `${path} has no keys: every request is rejected with 401; keygen prints a record to add`,
    ])
  })

  it('counts valid keys and finds the next expiry', () => {
    const key = (id: string, number: string, end?: number) =>
      ({
        id,
        sha256: number.padEnd(64, '0'),
        plan: 'free',
        ...(end && { expiresAt: new Date(end).toISOString() }),
      }) as const
    const keys = [
      key('forever', '000001'),
      key('forever', '000010', 1000),
      key('ending', '000100', 2000),
      key('ending', '001000', 1000),
      { ...key('ended', '010000', 1000), revokedAt: '1970-01-01' },
    ]
    const list: KeyList = createKeyList(() => 0)
    for (const each of keys) list.add(each)
    assert.deepEqual(list.count(0), { issued: 5, inForce: 4, fingerprint: 0x1111, nextExpiry: 2000 })
    assert.deepEqual(list.count(1000), { issued: 5, inForce: 2, fingerprint: 0x101, nextExpiry: 2000 })
    assert.deepEqual(list.count(2000), { issued: 5, inForce: 1, fingerprint: 1 })
  })

  it('counts expired keys at most once a minute', async () => {
    let now = Date.parse('2027-01-01T00:00:00Z')
    const path = writeKeysFile([first, { ...second, expiresAt: '2027-01-01T00:00:01Z' }])
    const { file } = await open(path, () => now)
    file.close()
    const loadedAt = now
    const inForce = async () => (await file.figures()).inForce
    assert.equal(await inForce(), 2)
    now += 59_999
    assert.equal(await inForce(), 2)
    now += 1
    assert.equal(await inForce(), 1)
    assert.equal((await file.figures()).loadedAt, loadedAt)
    writeFileSync(path, JSON.stringify({ keys: [] }))
    await file.reload()
    assert.deepEqual(await file.figures(), {
      issued: 0,
      inForce: 0,
      fingerprint: 0,
      loadedAt: now,
      isFileValid: true,
    })
  })

  const [large, pipe] = [writeTextFile(''), newFile('pipe')]
  truncateSync(large, 2 ** 30)
  if (!missingFeatures.pipes) execFileSync('mkfifo', [pipe])
  for (const [what, path, message] of [
    ['invalid JSON', writeTextFile('{ "keys": [ {}, ] }'), /: not JSON: a tool such as jq shows the line$/],
    ['a document that is not an object', writeTextFile('null'), /: must be an object \{ "keys": \[ … \] \}$/],
    [
      'another member',
      writeKeysFile([], { plans: [] }),
      /: unknown member "plans"; expected one of version, keys$/,
    ],
    [
      'a misspelled key member',
      writeKeysFile([{ ...first, expriesAt: '2027' }]),
      /: unknown member "keys\[0\]\.expriesAt"; expected one of id, /,
    ],
    [
      'an invalid key',
      writeKeysFile([first, {}], { version: 2 }),
      /: keys\[1\].id must be a non-empty string/,
    ],
    ['a missing file', newFile('missing.json'), /: ENOENT: no such file/],
    ['a file that is too large', large, /: it is larger than 16 MiB$/],
    ['a folder', join(large, '..'), /: it is a directory, a pipe or a device$/],
    [
      'a pipe (without waiting)',
      missingFeatures.pipes ? '/' : pipe,
      /: it is a directory, a pipe or a device$/,
    ],
  ] as const)
    it(`is rejected at startup: ${what}`, async () => {
      await assert.rejects(open(path), { name: 'StartError', message })
    })

  it('may have unknown members in a later version', async () => {
    const { file } = await open(writeKeysFile([{ ...first, scope: 'read' }], { version: 3, scopes: [] }))
    assert.ok(file.store.find('1'))
  })

  it('is loaded over several event loop turns', async () => {
    const path = writeKeysFile(
      Array.from({ length: 5_000 }, (_, i) => ({ ...first, sha256: sha256(`${i}`) })),
    )
    const keysOfTurn = new Map<number, number>()
    let turn = 0
    let timer = setImmediate(function countTurn() {
      turn++
      timer = setImmediate(countTurn)
    })
    const onKey = () => void keysOfTurn.set(turn, (keysOfTurn.get(turn) ?? 0) + 1)
    await readKeysFile(path, Date.now, { onKey })
    clearImmediate(timer)
    assert.deepEqual([...keysOfTurn.values()], Array(10).fill(500))
  })

  it('provides the latest keys after concurrent reloads', async () => {
    const path = writeKeysFile([first])
    const { file } = await open(path)
    const reload = file.reload()
    writeFileSync(path, JSON.stringify({ keys: [second] }))
    await Promise.all([reload, file.reload()])
    file.close()
    assert.ok(file.store.find('2'))
  })
})
