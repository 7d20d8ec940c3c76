import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createPrivatePgBouncer } from '../../contracts/testing/private-pgbouncer.ts'
import { createPrivatePostgres } from '../../contracts/testing/private-postgres.ts'
import { requireOnCi, testWith } from '../../contracts/testing/resource.ts'
import { createFileNamer } from '../../contracts/testing/sqlite.ts'
import { stop } from '../testing/command.ts'
import { readBaseUrl, start } from '../testing/program.ts'
import { send } from '../testing/request.ts'

const database = await createPrivatePostgres()
const pooler = 'value' in database ? await createPrivatePgBouncer(database.value.port) : database
const newFile = createFileNamer()

testWith(requireOnCi(pooler))('the server and every command work through PgBouncer', async (_t, { port }) => {
  const env = { DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`, PET_ADOPTION_TABLE: 'dogs' }
  const run = async (commandLine: string): Promise<string> => {
    const { exitCode, stdout, stderr } = start(commandLine, { env })
    assert.equal(await exitCode, 0, stderr.text)
    return stdout.text
  }
  const file = newFile('animals.ndjson')
  writeFileSync(file, '{"id":7,"name":"Rex","categoryId":1,"status":"sold"}\n')

  assert.match(await run('migrate'), /^created the storage/)
  await run(`import --keep-ids ${file}`)
  await run('animals set 7 --name Max')
  assert.equal(await run('export'), '{"id":7,"name":"Max","categoryId":1,"status":"sold"}\n')
  const { key } = JSON.parse(await run('keys issue --id shelter --plan pro --json'))
  const rotated = JSON.parse(await run('keys rotate --id shelter --overlap 1h --json'))
  assert.match(await run('keys list'), /shelter/)

  const server = start('--port 0 --log silent --no-migrate --postgres-pool 3', { env })
  const base = await readBaseUrl(server)
  const body = '{"name":"Bello","categoryId":2}'
  for (const each of [key, rotated.key]) {
    const created = await send(`${base}/pets`, { method: 'POST', key: each, body })
    assert.equal(created.status, 201, created.body)
  }
  await run('animals remove 8')
  assert.equal((await send(`${base}/pets/8`, { key })).status, 404)
  assert.equal((await send(`${base}/pets/9`, { key })).status, 200)
  await run('keys revoke --id shelter')
  await stop(server)
})
