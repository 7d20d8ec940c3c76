import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { test } from 'node:test'
import type { NewPet } from '../../../core/index.ts'
import { testWith } from '../../contracts/testing/part.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { createCounter } from '../animals/counter.ts'
import { readAll, unlimited } from '../testing/animals.ts'
import { fail, run, stop } from '../testing/command.ts'
import { baseAddressOf, start } from '../testing/program.ts'
import { temporaryStorages } from '../testing/storages.ts'
import { readAnimals } from './ndjson.ts'

const newFile = temporaryFiles()
const storages = await temporaryStorages()
const rex = '{"name":"Rex","categoryId":1}'

async function* chunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}

async function read(text: string, size = 7): Promise<readonly NewPet[]> {
  const pets: NewPet[] = []
  for await (const pet of readAnimals(chunks(text, size), { keepsIds: false })) pets.push(pet)
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
      for await (const _ of readAnimals(endless(), { keepsIds: false }));
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

test('a terminal shows how many animals were read, and no other output does', () => {
  for (const [isTTY, shown] of [
    [true, '\rread 10000 animals\r\x1b[K'],
    [false, ''],
  ] as const) {
    const output = Object.assign(new PassThrough(), { isTTY })
    const counter = createCounter(output, 'read')
    for (let i = 0; i < 10_001; i++) counter.add(1)
    counter.end()
    assert.equal(String(output.read() ?? ''), shown)
  }
})

for (const [name, storage] of Object.entries(storages)) {
  const storageTest = testWith(storage)
  const stdinOf = (text: string) => ({ stdin: Readable.from([Buffer.from(text)]) })

  storageTest(`a file is imported into ${name} whole, or not at all`, async (_t, newStorage) => {
    const flags = await newStorage()
    const file = newFile('animals.ndjson')
    writeFileSync(file, `${rex}\n{"name":"Tom"}\n`)
    const [code, message] = await fail(`import ${flags} ${file}`)
    assert.equal(code, 1)
    assert.match(message, /^nothing was imported from .*:\nline 2: .*"categoryId" is required/)

    writeFileSync(file, `${rex}\n${rex}\n`)
    assert.match(await run(`import ${flags} ${file}`), /^imported 2 animals from /)
    writeFileSync(file, rex)
    assert.match(await run(`import ${flags} ${file}`), /^imported 1 animal from /)

    const server = start(`--port 0 ${flags}`, { env: unlimited })
    const stored = await readAll(await baseAddressOf(server))
    assert.deepEqual(
      stored,
      ['1', '2', '3'].map((id) => ({ id, name: 'Rex', categoryId: '1', status: 'available' })),
    )
    await stop(server)
  })

  storageTest(
    `an import into ${name} ignores ids, and gives the default status; with --keep-ids it retains both`,
    async (_t, newStorage) => {
      const flags = await newStorage()
      const lines =
        '{"id":7,"name":"Rex","categoryId":1}\n{"id":"Tom","name":"Tom","categoryId":1,"status":"sold"}\n'
      await run(`import ${flags} -`, stdinOf(lines))
      const kept = [
        '{"id":7,"name":"seven","categoryId":1}',
        '{"name":"next","categoryId":1}',
        '{"id":4,"name":"four","categoryId":1,"status":"pending"}',
      ]
      assert.equal(
        await run(`import --keep-ids ${flags} -`, stdinOf(kept.join('\n'))),
        'imported 3 animals from stdin\n',
      )
      await run(`import ${flags} -`, stdinOf(rex))
      assert.deepEqual((await run(`export ${flags}`)).split('\n'), [
        '{"id":1,"name":"Rex","categoryId":1,"status":"available"}',
        '{"id":2,"name":"Tom","categoryId":1,"status":"sold"}',
        '{"id":4,"name":"four","categoryId":1,"status":"pending"}',
        '{"id":7,"name":"seven","categoryId":1}',
        '{"id":8,"name":"next","categoryId":1}',
        '{"id":9,"name":"Rex","categoryId":1,"status":"available"}',
        '',
      ])
    },
  )

  storageTest(
    `an import with --keep-ids into ${name} rejects ids that no server assigns, with their lines`,
    async (_t, newStorage) => {
      const flags = await newStorage()
      const bad = ['0', '-1', '9007199254740992', '"7"', '1.5', 'null', '[1]']
      const lines = bad.map((id) => `{"id":${id},"name":"Rex","categoryId":1}`)
      const problem = '"id" must be an integer from 1 to 9007199254740991, as a JSON number.'
      const problems = bad.map((_, i) => `line ${i + 2}: ${problem}`)
      assert.deepEqual(await fail(`import --keep-ids ${flags} -`, stdinOf([rex, ...lines].join('\n'))), [
        1,
        ['nothing was imported from stdin:', ...problems].join('\n'),
      ])
      assert.equal(await run(`export ${flags}`), '')
    },
  )

  storageTest(
    `an import with --keep-ids into ${name} rejects an id that is there already, and names it`,
    async (_t, newStorage) => {
      const flags = await newStorage()
      const line = (id: number) => `{"id":${id},"name":"Rex","categoryId":1}\n`
      await run(`import --keep-ids ${flags} -`, stdinOf(line(7)))
      for (const ids of [
        [8, 7],
        [5, 6, 5],
      ]) {
        const [code, message] = await fail(`import --keep-ids ${flags} -`, stdinOf(ids.map(line).join('')))
        assert.equal(code, 1)
        const expected = `nothing was imported from stdin: an animal with the id ${ids.at(-1)} exists already`
        assert.ok(message.startsWith(expected), message)
      }
      assert.equal(await run(`export ${flags}`), line(7))
    },
  )
}

for (const [line, message] of [
  ['import --data x.sqlite', /import requires one file: import FILE/],
  ['import animals.ndjson', /import requires a storage for the animals: --data FILE or --postgres URL/],
  ['import --data x.sqlite /nowhere/animals.ndjson', /\/nowhere\/animals\.ndjson cannot be read/],
] as const)
  test(`import rejects an incomplete command line: ${line}`, async () => {
    const [code, text] = await fail(line)
    assert.equal(code, 2)
    assert.match(text, message)
  })
