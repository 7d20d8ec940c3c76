import assert from 'node:assert/strict'
import { testWith } from '../../contracts/testing/part.ts'
import { sqlite, temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { type IssuedKey, run, runJson, stop } from '../testing/command.ts'
import { baseAddressOf, start, startServer } from '../testing/program.ts'
import { send } from '../testing/request.ts'
import { temporaryStorages } from '../testing/storages.ts'

const storages = await temporaryStorages()
const newFile = temporaryFiles()

for (const [name, storage] of Object.entries(storages)) {
  testWith(storage)(
    `a server with the keys of ${name} accepts an issued key, and rejects a revoked one`,
    async (_t, newStorage) => {
      const flag = await newStorage()
      let now = Date.parse('2027-01-01T00:00:00Z')
      const clock = () => now
      const first = await runJson<IssuedKey>(`keys issue ${flag} --id first --plan free`, { clock })
      const server = start(`--port 0 ${flag} --metrics`, { clock })
      const base = await baseAddressOf(server)
      const ask = async (key: string) => {
        const { status, headers } = await send(`${base}/pets`, { key })
        return [status, headers['x-ratelimit-limit']]
      }
      const metric = async (name: string) => {
        const { body } = await send(new URL('/metrics', base).href)
        return Number(new RegExp(`^${name} (.*)$`, 'm').exec(body)?.[1])
      }
      assert.deepEqual(await ask(first.key), [200, '60'])
      assert.equal(await metric('pet_adoption_keys'), 1)

      const second = await runJson<IssuedKey>(
        `keys issue ${flag} --id second --plan pro --expires 2027-01-02`,
        { clock },
      )
      now += 60_000 // what the server knows of its keys is read again
      assert.deepEqual(await ask(second.key), [200, '300'])
      assert.equal(await metric('pet_adoption_keys'), 2)
      assert.equal(await metric('pet_adoption_keys_loaded_timestamp_seconds'), now / 1000)
      assert.equal(
        await metric('pet_adoption_next_key_expiry_timestamp_seconds'),
        Date.parse('2027-01-02') / 1000,
      )

      const rotated = await runJson<IssuedKey>(`keys rotate ${flag} --id first`, { clock })
      await run(`keys revoke ${flag} --id second`, { clock })
      now += 60_000 // what the server knows of its keys is read again
      assert.deepEqual(
        [await ask(first.key), await ask(second.key)],
        [
          [401, '60'],
          [401, '60'],
        ],
      )
      assert.deepEqual(await ask(rotated.key), [200, '60'])
      const logged = server.stdout.text + server.stderr.text
      for (const { key } of [first, second, rotated]) assert.ok(!logged.includes(key))
      await stop(server)
    },
  )
}

testWith(storages.SQLite)(
  'a server without keys ends the key that it made when the first one is issued, and says how to issue it',
  async (_t, newStorage) => {
    const flag = await newStorage()
    let now = Date.now()
    const clock = () => now
    const { base, ...server } = await startServer(`--port 0 ${flag}`, { clock })
    const [, made = ''] = /Bearer (\S+)"/.exec(server.stdout.text) ?? []
    assert.ok(server.stdout.text.includes(`pet-adoption-service keys issue ${flag} --id NAME --plan PLAN\n`))
    const status = async (key: string) => (await send(`${base}/pets`, { key })).status
    assert.equal(await status(made), 200)
    const { key } = await runJson<IssuedKey>(`keys issue ${flag} --id shelter --plan pro`)
    assert.equal(await status(key), 200)
    now += 60_000
    assert.equal(await status(made), 401)
    await server.stdout.until(
      /a key was issued in the storage: the key that was made at the start is invalid/,
    )
    await stop(server)

    const given = start(`--port 0 ${flag}`, { clock, env: { PET_ADOPTION_API_KEY: 'the-key-of-the-tests' } })
    const other = await baseAddressOf(given)
    assert.equal((await send(`${other}/pets`, { key })).status, 401)
    await stop(given)
  },
)

testWith(sqlite)(
  'a server with a key in its environment says once that the keys of its storage do not count',
  async () => {
    const file = newFile()
    const env = { PET_ADOPTION_API_KEY: 'the-key-of-the-suite' }
    const before = start(`--port 0 --data ${file}`, { env })
    await baseAddressOf(before)
    assert.doesNotMatch(before.stderr.text, /do not count/)
    await stop(before)
    const { key } = await runJson<IssuedKey>(`keys issue --data ${file} --id first --plan free`)
    const server = start(`--port 0 --data ${file}`, { env })
    const base = await baseAddressOf(server)
    assert.match(
      server.stderr.text,
      /^\S+ warning: the key of PET_ADOPTION_API_KEY is the only one: the key of the storage does not count/,
    )
    assert.equal((await send(`${base}/pets`, { key })).status, 401)
    await stop(server)
  },
)
