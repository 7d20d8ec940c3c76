import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { KeyRecord } from '../../../core/index.ts'
import { testWith } from '../../contracts/testing/part.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { fail, type IssuedKey, run, runJson } from '../testing/command.ts'
import { temporaryStorages } from '../testing/storages.ts'
import { joiningKeys } from './import-keys.ts'
import { recordOf } from './key.ts'

const storages = await temporaryStorages()
const newFile = temporaryFiles()
const clock = () => Date.parse('2027-01-01T00:00:00Z')

for (const [name, storage] of Object.entries(storages))
  testWith(storage)(
    `the keys of a year move from ${name} to another storage unchanged`,
    async (_t, newStorage) => {
      const [from, to] = [await newStorage(), await newStorage()]
      for (const command of [
        'keys issue --id shelter --plan pro --label Berlin --expires 2028-01-01',
        'keys rotate --id shelter --overlap 7d',
        'keys issue --id big --plan enterprise --minute 5 --day 50',
        'keys issue --id gone --plan free',
        'keys revoke --id gone',
      ])
        await run(`${command} ${from}`, { clock })
      const file = newFile('keys.json')
      const listed = await run(`keys list --json ${from}`)
      writeFileSync(file, listed)
      assert.equal(await run(`keys import ${to} ${file}`), `imported 4 keys from ${file}\n`)
      const again = `imported 0 keys from ${file}; 4 were there already\n`
      assert.equal(await run(`keys import ${to} ${file}`), again)
      assert.equal(await run(`keys list --json ${to}`), listed)
    },
  )

testWith(storages.SQLite)(
  'an import with a bad record stores none, and its message names the place',
  async (_t, newStorage) => {
    const flag = await newStorage()
    const { sha256 } = await runJson<IssuedKey>(`keys issue --id shelter --plan pro ${flag}`)
    const good = recordOf('new', 'key-of-new', { plan: 'free' })
    const file = newFile('keys.json')
    for (const [bad, problem] of [
      [{ ...good, id: 'other' }, `keys file ${file}: keys[1].sha256 is that of an earlier key`],
      [
        { ...good, sha256: 'x' },
        `keys file ${file}: keys[1].sha256 must be 64 lower-case hexadecimal digits`,
      ],
      [
        recordOf('shelter', 'another', { plan: 'free' }),
        'keys[1].id has another plan or other limits in the storage',
      ],
      [{ ...good, sha256 }, 'keys[1].sha256 is that of another id of the storage'],
      [null, `keys file ${file}: keys[1] must be an object`],
    ] as const)
      for (const document of [{ keys: [good, bad] }, [good, bad]]) {
        writeFileSync(file, JSON.stringify(document))
        assert.deepEqual(await fail(`keys import ${flag} ${file}`), [1, problem])
      }
    assert.equal((await runJson<KeyRecord[]>(`keys list ${flag}`)).length, 1)
  },
)

const key = (token: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  ...recordOf('shelter', token, { plan: 'pro' }),
  ...more,
})
const [revokedAt, expiresAt] = ['2026-01-01T00:00:00Z', '2028-01-01T00:00:00Z']

for (const [what, stored, added, changed] of [
  ['a key that is there stays as it is', key('a', { expiresAt }), key('a', { label: 'other' }), []],
  ['a revoked key does not become valid', key('a', { revokedAt }), key('a'), []],
  [
    'a key is revoked',
    key('a', { label: 'x' }),
    key('a', { revokedAt }),
    [key('a', { label: 'x', revokedAt })],
  ],
  ['another key of an id joins it', key('a'), key('b'), [key('b')]],
  [
    'a revoked key of another plan joins',
    key('a'),
    key('b', { plan: 'free', revokedAt }),
    [key('b', { plan: 'free', revokedAt })],
  ],
] as const)
  test(`when keys are imported, ${what}`, () => {
    assert.deepEqual(joiningKeys([added])([stored]), changed)
  })
