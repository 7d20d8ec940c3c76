import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { createKeyStore, type KeyRecord, sha256 } from '../../../core/index.ts'
import { testWith } from '../../contracts/testing/resource.ts'
import { createFileNamer, sqlite } from '../../contracts/testing/sqlite.ts'
import { fail, type IssuedKey, run, runJson } from '../testing/command.ts'
import { createTemporaryStorages } from '../testing/storages.ts'
import { createKeyRecord } from './key-list.ts'

const newFile = createFileNamer()
const storages = await createTemporaryStorages()

test('keygen prints a key and a matching record', async () => {
  const line = 'keygen --id shelter --plan enterprise --minute 5 --day 50'
  const [output, other] = [await run(line), await run(line)]
  const [key = '', ...others] = output.match(/\bpas_[\w-]{43}\b/g) ?? []
  assert.deepEqual(others, [])
  const record: KeyRecord = JSON.parse(/^\{.*/m.exec(output)?.[0] ?? '')
  const limits = { minute: 5, day: 50 }
  assert.deepEqual(record, { id: 'shelter', sha256: sha256(key), plan: 'enterprise', limits })
  assert.ok(createKeyStore([record]).find(key))
  assert.ok(!other.includes(key))
})

for (const [name, storage] of Object.entries(storages)) {
  testWith(storage)(`keys in ${name} are issued, listed, rotated and revoked`, async (_t, newStorage) => {
    const flag = await newStorage()
    const issue = `keys issue ${flag} --id shelter --plan enterprise --minute 5 --day 50 --label Berlin`
    const first = await runJson<IssuedKey>(`${issue} --expires 2999-01-31`)
    const expiresAt = '2999-01-31T00:00:00.000Z'
    const { key, ...shown } = first
    assert.deepEqual(shown, { id: 'shelter', plan: 'enterprise', sha256: sha256(key), expiresAt })
    assert.equal((await fail(issue))[0], 1)
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

  testWith(storage)(`keys import copies the keys of ${name} unchanged`, async (_t, newStorage) => {
    const clock = () => Date.parse('2027-01-01T00:00:00Z')
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
    assert.match(await run(`keys import ${to} ${file}`), /^imported 0 keys from .*; 4 already existed$/m)
    assert.equal(await run(`keys list --json ${to}`), listed)
  })
}

testWith(storages.SQLite)('keys import stores nothing if a record is invalid', async (_t, newStorage) => {
  const flag = await newStorage()
  const { sha256 } = await runJson<IssuedKey>(`keys issue --id shelter --plan pro ${flag}`)
  const good = createKeyRecord('new', 'key-of-new', { plan: 'free' })
  const file = newFile('keys.json')
  for (const [bad, problem] of [
    [{ ...good, sha256 }, 'keys import: keys[1].sha256 is already stored with another id'],
    [null, `keys file ${file}: keys[1] must be an object`],
  ] as const)
    for (const document of [{ keys: [good, bad] }, [good, bad]]) {
      writeFileSync(file, JSON.stringify(document))
      assert.deepEqual(await fail(`keys import ${flag} ${file}`), [1, problem])
    }
  assert.equal((await runJson<KeyRecord[]>(`keys list ${flag}`)).length, 1)
})

testWith(sqlite)('keys issue prints the key with curl commands, and stores its hash', async () => {
  const path = newFile('keys.sqlite')
  const output = await run(`keys issue --data ${path} --id shelter --plan pro`)
  const [key = '', ...others] = new Set(output.match(/\bpas_[\w-]{43}\b/g))
  assert.deepEqual(others, [])
  const curl = `curl -H "Authorization: Bearer ${key}" "http://127.0.0.1:8080/v1/pets"`
  for (const line of [`  ${curl}\n`, `  ${curl} -H "Content-Type: application/json" -d "{`])
    assert.ok(output.includes(line), line)
  assert.match(output, /shelter: plan pro, 300 requests per minute and 10,000 per day; it does not expire\./)
  const file = readFileSync(path, 'latin1')
  assert.ok(file.includes(sha256(key)) && !file.includes(key))
})
