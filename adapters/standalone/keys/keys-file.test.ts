import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type KeyRecord, sha256 } from '../../../core/index.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { lacks } from '../../testing/machine.ts'
import { openKeysFile } from './keys-file.ts'
import { type OpenKeys, openRecords } from './open-keys.ts'
import { readKeysFile } from './read-keys-file.ts'

const newFile = temporaryFiles()

function fileWith(text: string): string {
  const path = newFile('keys.json')
  writeFileSync(path, text)
  return path
}

const keysFile = (keys: readonly object[], more = {}) => fileWith(JSON.stringify({ keys, ...more }))

async function open(path: string): Promise<{ file: OpenKeys; logged: string[] }> {
  const logged: string[] = []
  const add = (_event: string, message: string) => void logged.push(message)
  return { file: await openKeysFile(path, Date.now, { info: add, warning: add, error: add }), logged }
}

const first: KeyRecord = { id: 'first', sha256: sha256('1'), plan: 'pro', createdAt: '2026-02-01' }
const second: KeyRecord = { id: 'second', sha256: sha256('2'), plan: 'free', label: 'of the second' }

describe('the keys file', () => {
  it('replaces the keys at a reload, unless it is invalid', async () => {
    const path = fileWith(`\ufeff${JSON.stringify({ keys: [first] })}`)
    const { file, logged } = await open(path)
    file.close?.() // only `reload` reads the file
    writeFileSync(path, JSON.stringify({ keys: [second, { ...first, expiresAt: '2026-01-01T00:00:00Z' }] }))
    assert.ok(file.store.find('1'))
    await file.reload?.()
    assert.equal(file.store.find('1'), undefined)
    assert.deepEqual(file.store.find('2'), { id: 'second', plan: 'free' })
    const { issued, inForce } = await file.figures()
    assert.deepEqual([issued, inForce], [2, 1])
    writeFileSync(path, '{ "keys": [')
    await file.reload?.()
    assert.ok(file.store.find('2'))
    assert.equal((await file.figures()).isFileValid, false)
    assert.deepEqual(logged, [
      `read 1 key from ${path}`,
      `read 2 keys from ${path}`,
      `keys file ${path}: it is not JSON: a JSON tool, such as jq, shows the line; the keys read before stay valid`,
    ])
  })

  it('is watched for its removal and replacement', async () => {
    const path = keysFile([second])
    const { file, logged } = await open(path)
    rmSync(path)
    while (logged.length < 2) await setTimeout(50)
    assert.ok(file.store.find('2'))
    assert.equal((await file.figures()).isFileValid, false)
    writeFileSync(`${path}.new`, '{ "keys": [] }')
    renameSync(`${path}.new`, path)
    while (logged.length < 3) await setTimeout(50)
    assert.equal((await file.figures()).isFileValid, true)
    file.close?.()
    assert.deepEqual(logged, [
      `read 1 key from ${path}`,
      `keys file ${path}: ENOENT: no such file or directory, stat '${path}'; the keys read before stay valid`,
      `${path} has no keys: every request is rejected with 401; keygen prints a record to add`,
    ])
  })

  it('has a count of valid keys and the next expiry of a caller', () => {
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
    let now = 0
    const { figures } = openRecords(keys, () => now)
    assert.deepEqual(figures(), { issued: 5, inForce: 4, fingerprint: 0x1111, nextExpiry: 2000, loadedAt: 0 })
    now = 1000
    assert.deepEqual(figures(), { issued: 5, inForce: 2, fingerprint: 0x101, nextExpiry: 2000, loadedAt: 0 })
    now = 2000
    assert.deepEqual(figures(), { issued: 5, inForce: 1, fingerprint: 1, loadedAt: 0 })
  })

  const [large, pipe] = [fileWith(''), newFile('pipe')]
  truncateSync(large, 2 ** 30)
  if (!lacks.pipes) execFileSync('mkfifo', [pipe])
  for (const [what, path, message] of [
    ['text', fileWith('{ "keys": [ {}, ] }'), /: it is not JSON: a JSON tool, such as jq, shows the line$/],
    ['no object', fileWith('null'), /: must be an object \{ "keys": \[ … \] \}$/],
    ['another member', keysFile([], { plans: [] }), /: "plans" is not a member of it: only "version" and/],
    [
      'a misspelt one',
      keysFile([{ ...first, expriesAt: '2027' }]),
      /: keys\[0\].expriesAt is not a member of a key$/,
    ],
    ['a bad key', keysFile([first, {}], { version: 2 }), /: keys\[1\].id must be a string that names/],
    ['nothing', newFile('missing.json'), /: ENOENT: no such file/],
    ['too much', large, /: it is larger than 16 MiB$/],
    ['a folder', join(large, '..'), /: it is a directory, a pipe or a device$/],
    ['a pipe, without waiting', lacks.pipes ? '/' : pipe, /: it is a directory, a pipe or a device$/],
  ] as const)
    it(`is rejected at its first invalid place: ${what}`, async () => {
      await assert.rejects(open(path), { name: 'StartError', message })
    })

  it('may have unknown members of a newer version', async () => {
    const { file } = await open(keysFile([{ ...first, scope: 'read' }], { version: 3, scopes: [] }))
    assert.ok(file.store.find('1'))
  })

  it('is read while requests are handled', async () => {
    const path = keysFile(Array.from({ length: 5_000 }, () => first))
    const keysOfTurn = new Map<number, number>()
    let turn = 0
    let timer = setImmediate(function countTurn() {
      turn++
      timer = setImmediate(countTurn)
    })
    await readKeysFile(path, () => keysOfTurn.set(turn, (keysOfTurn.get(turn) ?? 0) + 1))
    clearImmediate(timer)
    assert.deepEqual([...keysOfTurn.values()], Array(10).fill(500))
  })

  it('is read again if it is replaced meanwhile', async () => {
    const path = keysFile([first])
    const { file } = await open(path)
    const reload = file.reload?.()
    writeFileSync(path, JSON.stringify({ keys: [second] }))
    await Promise.all([reload, file.reload?.()])
    file.close?.()
    assert.ok(file.store.find('2'))
  })
})
