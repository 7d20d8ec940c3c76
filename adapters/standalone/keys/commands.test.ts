import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sha256 } from '../../../core/index.ts'
import { testWith } from '../../contracts/testing/part.ts'
import { sqlite, temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { curlLines } from '../lifecycle/listen-address.ts'
import { fail, type IssuedKey, run, runJson } from '../testing/command.ts'
import { start } from '../testing/program.ts'
import { temporaryStorages } from '../testing/storages.ts'

const newFile = temporaryFiles()

for (const [name, storage] of Object.entries(await temporaryStorages())) {
  testWith(storage)(`in ${name}, keys are issued, listed, rotated and revoked`, async (_t, newStorage) => {
    const flag = await newStorage()
    const issue = `keys issue ${flag} --id shelter --plan enterprise --minute 5 --day 50 --label Berlin`
    const first = await runJson<IssuedKey>(`${issue} --expires 2999-01-31`)
    const expiresAt = '2999-01-31T00:00:00.000Z'
    const { key, ...shown } = first
    assert.deepEqual(shown, { id: 'shelter', plan: 'enterprise', sha256: sha256(key), expiresAt })
    assert.deepEqual(await fail(issue), [
      1,
      'the id "shelter" has a key: use keys rotate to replace it, or another --id',
    ])
    const second = await runJson<IssuedKey>(`keys rotate ${flag} --id shelter --overlap 7d`)
    assert.notEqual(second.key, key)
    assert.deepEqual([second.plan, second.expiresAt], ['enterprise', undefined])
    const listed = await runJson<readonly Record<string, unknown>[]>(`keys list ${flag}`)
    const common = { id: 'shelter', plan: 'enterprise', limits: { minute: 5, day: 50 }, label: 'Berlin' }
    for (const [i, { sha256 }] of [first, second].entries()) {
      const { createdAt, expiresAt, ...others } = listed[i] ?? {}
      assert.deepEqual([others, typeof createdAt], [{ ...common, sha256 }, 'string'])
      assert.equal(Date.parse(String(expiresAt)) < Date.now() + 7.1 * 86_400_000, i === 0)
    }
    const hash = first.sha256.slice(0, 16)
    const [ended] = await runJson<readonly Record<string, unknown>[]>(`keys revoke ${flag} --hash ${hash}`)
    assert.deepEqual([ended?.sha256, typeof ended?.revokedAt], [first.sha256, 'string'])
    assert.match(await run(`keys revoke ${flag} --id shelter`), /revoked/)
    assert.equal(await run(`keys revoke ${flag} --id shelter`), 'nothing to do: already revoked\n')
    await run(`keys issue ${flag} --id shelter --plan free`)
    const table = await run(`keys list ${flag}`)
    assert.equal(table.split('\n').length, 5)
    assert.doesNotMatch(table, /pas_/)
  })
}

testWith(sqlite)(
  'an issued key is printed, with what it allows and lines that use it, and stored as its hash',
  async () => {
    const path = newFile('keys.sqlite')
    const output = await run(`keys issue --data ${path} --id shelter --plan pro`)
    const [key = '', ...others] = new Set(output.match(/\bpas_[\w-]{43}\b/g))
    assert.deepEqual(others, [])
    for (const line of Object.values(curlLines(key, '"http://127.0.0.1:8080/v1/pets"')))
      assert.ok(output.includes(line))
    assert.match(output, /shelter: plan pro, 300 requests a minute and 10,000 a day; it does not expire\./)
    const file = readFileSync(path, 'latin1')
    assert.ok(file.includes(sha256(key)) && !file.includes(key))
  },
)

test('commands other than keys issue create no file', async () => {
  const path = newFile('none.sqlite')
  for (const command of ['list', 'rotate --id x', 'revoke --id x']) {
    const { exitCode } = start(`keys ${command} --data ${path}`)
    assert.equal(await exitCode, 1)
  }
  assert.ok(!existsSync(path))
})

test('a misuse ends with 2, before anything is opened', async () => {
  const path = newFile('none.sqlite')
  for (const line of [
    'keys issue --id x --plan pro',
    'keys list',
    'keys list --keys keys.json',
    'keys import x.json',
    `keys issue --data ${path} --plan pro`,
    `keys rotate --data ${path} --id x --overlap 7`,
    `keys revoke --data ${path}`,
    `keys list --data ${path} --plan pro`,
  ])
    assert.equal((await fail(line))[0], 2, line)
  assert.ok(!existsSync(path))
})

test('a database that is away is named without its password', async () => {
  const [code, message] = await fail('keys list --postgres postgres://me:secret@127.0.0.1:1/db')
  assert.equal(code, 1)
  assert.match(message, /^--postgres: /)
  assert.doesNotMatch(message, /secret/)
})
