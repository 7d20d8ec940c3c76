import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { NewPet } from '../../../core/index.ts'
import { testWith } from '../../contracts/testing/resource.ts'
import { createFileNamer } from '../../contracts/testing/sqlite.ts'
import { fail, run } from '../testing/command.ts'
import { createTemporaryStorages } from '../testing/storages.ts'
import { readAnimals, splitLines } from './ndjson.ts'

const storages = await createTemporaryStorages()
const newFile = createFileNamer()
const rex = '{"name":"Rex","categoryId":1}'

/** Splits bytes into chunks at the given places. */
async function* splitIntoChunks(bytes: Uint8Array, ends: readonly number[]): AsyncGenerator<Uint8Array> {
  const cuts = [0, ...ends.map((end) => end % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  for (const [i, cut] of cuts.entries()) yield bytes.subarray(cut, cuts[i + 1])
}

async function readPets(text: string, keepsIds = false): Promise<readonly NewPet[]> {
  const pets: NewPet[] = []
  for await (const { pet } of readAnimals(splitIntoChunks(Buffer.from(text), [1, 20, 90_000]), { keepsIds }))
    pets.push(pet)
  return pets
}

describe('animals import', () => {
  it('reads JSON lines and skips blank ones', async () => {
    const text = `${rex}\r\n\n \t\r\n{"name":"Кот 猫","categoryId":9223372036854775807,"status":"sold"}`
    assert.deepEqual(await readPets(text), [
      { name: 'Rex', categoryId: 1n, status: 'available' },
      { name: 'Кот 猫', categoryId: 2n ** 63n - 1n, status: 'sold' },
    ])
    assert.deepEqual(await readPets(''), [])
  })

  it('splits lines across chunks, and cuts long lines', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\r'), maxLength: 12 })),
        fc.array(fc.nat()),
        fc.integer({ min: 1, max: 8 }),
        async (lines, ends, maxBytes) => {
          const split: (readonly [number: number, text: string])[] = []
          for await (const { number, bytes } of splitLines(
            splitIntoChunks(Buffer.from(lines.join('\n')), ends),
            maxBytes,
          ))
            split.push([number, String(bytes)])
          const expected = lines
            .map((line, i) => [i + 1, line.slice(0, maxBytes + 1)] as const)
            .filter(([, text]) => /[^\r]/.test(text))
          assert.deepEqual(split, expected)
        },
      ),
    ))

  for (const [encoding, bytes] of [
    ['UTF-16', Buffer.from(`\ufeff${rex}\n`, 'utf16le')],
    ['UTF-16', Buffer.from(`\ufeff${rex}\n`, 'utf16le').swap16()],
    ['UTF-16', Buffer.from(`${rex}\n`, 'utf16le')],
    ['a byte order mark', Buffer.from(`\ufeff${rex}\n`)],
  ] as const)
    it(`rejects ${encoding} (${bytes.toString('hex', 0, 4)})`, async () => {
      const convert =
        encoding === 'UTF-16' ? /is UTF-16: .*iconv -f UTF-16/ : /byte order mark: .*tail -c \+4/
      const importing = readAnimals(splitIntoChunks(bytes, [1, 3]), { keepsIds: false })
      await assert.rejects(importing.next(), convert)
    })

  const long = 'x'.repeat(60_000)
  const badId = /"id" must be an integer from 1 to 9007199254740991, as a JSON number\./
  const withId = (id: string) => `{"id":${id},"name":"Rex","categoryId":1}`
  const badLines: readonly (readonly [line: string, problem: RegExp])[] = [
    ['{', /JSON/],
    [long, /JSON/],
    ['['.repeat(60_000), /JSON/],
    ['{"name":5,"categoryId":1}', /"name" must be a string/],
    [`{"${long}":1}`, /"name" is required/],
    [`{"name":1,"categoryId":1e999,"status":"${long}"}`, /"name" must be a string/],
    [`{"name":"${long}${long}","categoryId":1}`, /65536 bytes long\.$/],
    ...['0', '-1', '9007199254740992', '"7"', '1.5', 'null', '[1]'].map((id) => [withId(id), badId] as const),
  ]

  it('lists every bad line with its problem', async () => {
    const text = [rex, '', ...badLines.map(([line]) => line), rex].join('\n')
    await assert.rejects(readPets(text, true), ({ message }: Error) => {
      const problems = message.split('\n')
      assert.equal(problems.length, badLines.length)
      for (const [i, [, problem]] of badLines.entries()) {
        assert.match(problems[i] ?? '', new RegExp(`^line ${i + 3}: .*${problem.source}`))
        assert.ok((problems[i] ?? '').length < 300, problems[i])
      }
      return true
    })
  })

  it('stops after 100 bad lines', () =>
    assert.rejects(readPets(`${rex}\n{}\n`.repeat(101)), ({ message }: Error) => {
      assert.match(message, /\nline 200: .*\n… stopped at line 200 after 100 bad lines$/)
      return message.split('\n').length === 101
    }))

  for (const [name, storage] of Object.entries(storages))
    testWith(storage)(
      `stores all animals or none in ${name}, with new or kept ids`,
      async (_t, newStorage) => {
        const flags = await newStorage()
        const file = newFile('animals.ndjson')
        const importing = (command: string, ...lines: readonly string[]) => {
          writeFileSync(file, lines.join('\n'))
          return `${command} ${flags} ${file}`
        }
        const [code, message] = await fail(importing('import', rex, '{"name":"Tom"}'))
        assert.equal(code, 1)
        assert.match(message, /^nothing was imported from .*: line 2: .*"categoryId" is required/)
        const tom = '{"id":"Tom","name":"Tom","categoryId":1,"status":"sold"}'
        assert.equal(
          await run(importing('import', `{"id":7,${rex.slice(1)}`, tom)),
          `imported 2 animals from ${file}\n`,
        )
        const seven = '{"id":7,"name":"seven","categoryId":1}'
        const four = '{"id":4,"name":"four","categoryId":1,"status":"pending"}'
        await run(importing('import --keep-ids', seven, '{"name":"next","categoryId":1}', four))
        const existing = `nothing was imported from ${file}: line 2: an animal with the id 7 already exists`
        const five = four.replace('4', '5')
        assert.deepEqual(await fail(importing('import --keep-ids', five, seven)), [1, existing])
        assert.equal(await run(`import ${flags} -`, { stdin: rex }), 'imported 1 animal from stdin\n')
        assert.deepEqual((await run(`export ${flags}`)).split('\n'), [
          '{"id":1,"name":"Rex","categoryId":1,"status":"available"}',
          '{"id":2,"name":"Tom","categoryId":1,"status":"sold"}',
          four,
          seven,
          '{"id":8,"name":"next","categoryId":1}',
          '{"id":9,"name":"Rex","categoryId":1,"status":"available"}',
          '',
        ])
      },
    )
})
