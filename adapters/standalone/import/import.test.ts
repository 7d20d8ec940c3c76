import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import type { NewPet } from '../../../core/index.ts'
import { type Part, testWith } from '../../contracts/testing/part.ts'
import { sqlite, temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { readAll, unlimited } from '../testing/animals.ts'
import { temporaryDatabases } from '../testing/database.ts'
import { baseAddressOf, start } from '../testing/program.ts'
import { readAnimals } from './ndjson.ts'
import { createProgress } from './progress.ts'

const newFile = temporaryFiles()
const databases = await temporaryDatabases()
const rex = '{"name":"Rex","categoryId":1}'

async function* chunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

async function read(text: string, size = 7): Promise<readonly NewPet[]> {
  const pets: NewPet[] = []
  for await (const pet of readAnimals(chunks(text, size))) pets.push(pet)
  return pets
}

test('each line is an animal, wherever the chunks of the file end', async () => {
  const text = `${rex}\n{"name":"Кот 猫","categoryId":9223372036854775807,"status":"sold"}\n`
  for (const size of [1, 5, 1000])
    assert.deepEqual(await read(text, size), [
      { name: 'Rex', categoryId: 1n },
      { name: 'Кот 猫', categoryId: 2n ** 63n - 1n, status: 'sold' },
    ])
})

test('blank lines, line ends of Windows and a last line without an end are valid', async () => {
  assert.equal((await read(`${rex}\r\n\n \t\r\n${rex}`)).length, 2)
  assert.deepEqual(await read(''), [])
})

test('every bad line is reported with its number', async () => {
  const bad = ['', '{', '{"name":5,"categoryId":1}', `{"name":"${'x'.repeat(70_000)}","categoryId":1}`]
  await assert.rejects(read([rex, ...bad, rex].join('\n'), 50_000), ({ message }: Error) => {
    assert.match(
      message,
      /^line 3: .*JSON.*\nline 4: .*"name" must be a string.*\nline 5: .*65536 bytes long\.$/,
    )
    return true
  })
})

test('reading stops at the hundredth bad line, and the message says so', async () => {
  let consumed = 0
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) {
      consumed++
      yield Buffer.from(`${rex}\n{}\n`)
    }
  }
  await assert.rejects(
    async () => {
      for await (const _ of readAnimals(endless()));
    },
    ({ message }: Error) => {
      const lines = message.split('\n')
      assert.equal(lines.length, 101)
      assert.match(lines[99] ?? '', /^line 200: /)
      assert.equal(lines[100], '… and stopped at line 200 after 100 bad lines')
      return true
    },
  )
  assert.equal(consumed, 100)
})

test('the message of a bad line is short, whatever stands in the line', async () => {
  const long = 'x'.repeat(60_000)
  const lines = [
    long,
    '['.repeat(60_000),
    `{"${long}":1}`,
    `{"name":1,"categoryId":1e999,"status":"${long}"}`,
  ]
  await assert.rejects(read(lines.join('\n')), ({ message }: Error) => {
    assert.equal(message.split('\n').length, lines.length)
    for (const problem of message.split('\n')) assert.ok(problem.length < 300, problem)
    return true
  })
})

test('a terminal shows a bar and removes it; any other output has none', async () => {
  const bars = ['.'.repeat(30), '#'.repeat(15) + '.'.repeat(15), '#'.repeat(30)]
  const drawn = bars.map((bar, i) => `\r[${bar}] ${String(i * 50).padStart(3)} %`).join('')
  for (const [isTTY, shown] of [
    [true, `${drawn}\r\x1b[K`],
    [false, ''],
  ] as const) {
    const output = Object.assign(new PassThrough(), { isTTY })
    const progress = createProgress(output, 10)
    for await (const _ of progress.watch(chunks('0123456789', 5)));
    progress.end()
    assert.equal(String(output.read() ?? ''), shown)
  }
})

/** Where animals are imported to, as flags of import and of serve. */
const storages: Readonly<Record<string, Part<() => Promise<string>>>> = {
  SQLite: 'value' in sqlite ? { value: async () => `--data ${newFile()}` } : sqlite,
  PostgreSQL:
    'value' in databases ? { value: async () => `--postgres ${await databases.value()}` } : databases,
}

for (const [name, storage] of Object.entries(storages))
  testWith(storage)(`a file is imported into ${name} whole, or not at all`, async (_t, newStorage) => {
    const flags = await newStorage()
    const file = newFile('animals.ndjson')
    writeFileSync(file, `${rex}\n{"name":"Tom"}\n`)
    const failing = start(`import ${flags} ${file}`)
    assert.equal(await failing.exitCode, 1)
    assert.match(failing.stderr.text, /: nothing was imported from .*:\nline 2: .*"categoryId" is required/)

    writeFileSync(file, `${rex}\n${rex}\n`)
    const importing = start(`import ${flags} ${file}`)
    assert.equal(await importing.exitCode, 0)
    assert.match(importing.stdout.text, /^imported 2 animals from /)

    const server = start(`--port 0 ${flags}`, { env: unlimited })
    const stored = await readAll(await baseAddressOf(server))
    assert.deepEqual(
      stored.map((pet) => ({ ...pet, id: '' })),
      [1, 2].map(() => ({ id: '', name: 'Rex', categoryId: '1', status: 'available' })),
    )
    server.events.emit('SIGTERM')
    assert.equal(await server.exitCode, 0)
  })

for (const [line, message] of [
  ['import --data x.sqlite', /import requires one file: import ANIMALS\.ndjson/],
  ['import animals.ndjson', /import requires a storage for the animals: --data FILE or --postgres URL/],
  ['import --data x.sqlite /nowhere/animals.ndjson', /\/nowhere\/animals\.ndjson cannot be read/],
] as const)
  test(`import rejects an incomplete command line: ${line}`, async () => {
    const { stderr, exitCode } = start(line)
    assert.equal(await exitCode, 2)
    assert.match(stderr.text, message)
  })
