import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test as testAlone } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { testWith } from '../../contracts/testing/resource.ts'
import { createFileNamer } from '../../contracts/testing/sqlite.ts'
import { missingFeatures } from '../../testing/machine.ts'
import { fail, run } from '../testing/command.ts'
import { launch } from '../testing/launch.ts'
import { start } from '../testing/program.ts'
import { createTemporaryStorages } from '../testing/storages.ts'
import { renameOver } from './export.ts'

const newFile = createFileNamer()
const storages = await createTemporaryStorages()

/** Animals with extreme ids and unusual names, as exported lines. */
const oddAnimals = [
  [3, 'Rex', '9223372036854775807', 'sold'],
  [4, 'no status', '-9223372036854775808', undefined],
  [7, '', '0', 'available'],
  [10, 'two\u2028lines\u2029and\r\nmore\ttabs', '9007199254740993', 'pending'],
  [1_000_000, '"quotes" \'and\' \\backslashes\\ {"id":5}', '-1', undefined],
  [1_000_001, '👩‍👩‍👧 Кот 猫 e\u0301 \u{10ffff} \ufeff', '7', 'sold'],
  [4_294_967_297, '\u0001\u001b[31mred\u007f\u009b\u202e', '7', 'available'],
  ['9007199254740990', '𝕏'.repeat(1000), '9223372036854775807', 'pending'],
]
  .map(([id, name, categoryId, status]) => {
    const member = status === undefined ? '' : `,"status":"${status}"`
    return `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}${member}}\n`
  })
  .join('')

const fill = (flag: string, stdin: string) => run(`import ${flag} --keep-ids -`, { stdin })

function listFiles(path: string): readonly string[] {
  return readdirSync(dirname(path))
}

for (const [name, storage] of Object.entries(storages)) {
  const test = testWith(storage)

  test(`export and import keep all animals in ${name}`, async (_t, newStorage) => {
    const flag = await newStorage()
    await run(`migrate ${flag}`)
    assert.equal(await run(`export ${flag}`), '')
    const lines = oddAnimals.split(/(?<=\n)/)
    assert.equal(
      await fill(flag, lines.toReversed().join('')),
      `imported ${lines.length} animals from stdin\n`,
    )
    assert.equal(await run(`export ${flag}`), oddAnimals)
    assert.equal(await run(`export ${flag} -`), oddAnimals)
    const file = newFile('animals.ndjson')
    writeFileSync(file, 'older', { mode: 0o644 })
    assert.equal(await run(`export ${flag} ${file}`), `exported ${lines.length} animals to ${file}\n`)
    assert.equal(readFileSync(file, 'utf8'), oddAnimals)
    if (!missingFeatures.modes) assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.ok(!listFiles(file).some((each) => each.endsWith('.part')))
    if (missingFeatures.pipes) return
    const [link, pipe] = [newFile('link'), newFile('pipe')]
    symlinkSync(file, link)
    execFileSync('mkfifo', [pipe])
    writeFileSync(file, 'older')
    const piped = readFile(pipe, 'utf8')
    for (const path of [link, pipe]) await run(`export ${flag} ${path}`)
    assert.ok(lstatSync(link).isSymbolicLink())
    assert.deepEqual([readFileSync(file, 'utf8'), await piped], [oddAnimals, oddAnimals])
  })
}

const test = testWith(storages.PostgreSQL)

test('export fails if the reader closes stdout', async (_t, newStorage) => {
  const flag = await newStorage()
  const line = (_: unknown, i: number) => `{"id":${i + 1},"name":"${'x'.repeat(500)}","categoryId":1}\n`
  await fill(flag, Array.from({ length: 3000 }, line).join(''))
  const { child, stderr, end } = launch(`export ${flag}`)
  child.stdout?.once('data', () => child.stdout?.destroy())
  assert.equal(await end, 1)
  assert.equal(
    stderr.text,
    'pet-adoption-service: the export to stdout is incomplete: the reader closed the pipe\n',
  )
})

test('a failed or interrupted export keeps the existing file', async (t, newStorage) => {
  const flag = await newStorage()
  await fill(flag, '{"id":1,"name":"Rex","categoryId":1}\n')
  const [code, message] = await fail(`export ${flag} ${newFile('none')}/animals.ndjson`)
  assert.deepEqual([code, message.slice(0, 24)], [1, 'nothing was exported to '])
  const file = newFile('animals.ndjson')
  writeFileSync(file, 'old')
  const client = new pg.Client(flag.slice('--postgres '.length))
  await client.connect()
  t.after(() => client.end())
  await client.query('BEGIN; LOCK TABLE pets IN ACCESS EXCLUSIVE MODE')
  // The lock blocks the export until it is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    const { events, stderr, exitCode } = start(`export ${flag} ${file}`)
    while (!listFiles(file).some((each) => each.endsWith('.part'))) await setTimeout(5)
    events.emit(signal)
    assert.equal(await exitCode, 1)
    assert.equal(
      stderr.text,
      `pet-adoption-service: nothing was exported to ${file}: interrupted by ${signal}\n`,
    )
    assert.equal(readFileSync(file, 'utf8'), 'old')
    assert.ok(!listFiles(file).some((each) => each.endsWith('.part')))
  }
})

testAlone('renaming on Windows is retried while a file is open', async () => {
  let codes = ['EPERM', 'EACCES', 'EBUSY']
  const rename = async () => {
    const code = codes.pop()
    if (code !== undefined) throw new Error(`${code}: operation not permitted, rename`)
  }
  await renameOver('a', 'b', rename, 4)
  codes = ['EPERM', 'EPERM', 'EPERM']
  await assert.rejects(renameOver('a', 'b', rename, 2), /^Error: another program has b open: close it/)
  await assert.rejects(renameOver('a', 'b', rename, 1), /EPERM/)
})
