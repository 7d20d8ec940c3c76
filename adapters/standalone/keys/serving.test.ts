import assert from 'node:assert/strict'
import { testWith } from '../../contracts/testing/resource.ts'
import { type IssuedKey, run, runJson, stop } from '../testing/command.ts'
import { startServer } from '../testing/program.ts'
import { send } from '../testing/request.ts'
import { createTemporaryStorages } from '../testing/storages.ts'

const storages = await createTemporaryStorages()

for (const [name, storage] of Object.entries(storages))
  testWith(storage)(
    `a server accepts issued keys in ${name}, and rejects revoked ones`,
    async (_t, newStorage) => {
      const flag = await newStorage()
      let now = Date.parse('2027-01-01T00:00:00Z')
      const clock = () => now
      const first = await runJson<IssuedKey>(`keys issue ${flag} --id first --plan free`, { clock })
      const { base, ...server } = await startServer(`--port 0 ${flag} --metrics`, { clock })
      const ask = async (key: string) => {
        const { status, headers } = await send(`${base}/pets`, { key })
        return [status, headers['x-ratelimit-limit']]
      }
      assert.deepEqual(await ask(first.key), [200, '60'])
      const issue = `keys issue ${flag} --id second --plan pro --expires 2027-01-02`
      const second = await runJson<IssuedKey>(issue, { clock })
      now += 60_000 // counts are at most a minute old
      assert.deepEqual(await ask(second.key), [200, '300'])
      const metrics = (await send(new URL('/metrics', base).href)).body
      assert.match(metrics, /^pet_adoption_keys 2$/m)
      assert.match(metrics, new RegExp(`^pet_adoption_keys_loaded_timestamp_seconds ${now / 1000}$`, 'm'))
      const expiry = Date.parse('2027-01-02') / 1000
      assert.match(metrics, new RegExp(`^pet_adoption_next_key_expiry_timestamp_seconds ${expiry}$`, 'm'))

      const rotated = await runJson<IssuedKey>(`keys rotate ${flag} --id first`, { clock })
      await run(`keys revoke ${flag} --id second`, { clock })
      now += 60_000
      assert.deepEqual(await Promise.all([first, second, rotated].map(({ key }) => ask(key))), [
        [401, '60'],
        [401, '60'],
        [200, '60'],
      ])
      const logged = server.stdout.text + server.stderr.text
      for (const { key } of [first, second, rotated]) assert.ok(!logged.includes(key))
      await stop(server)
    },
  )

testWith(storages.SQLite)(
  'a server explains how to issue keys, and which keys it ignores',
  async (_t, newStorage) => {
    const flag = await newStorage()
    const without = await startServer(`--port 0 ${flag}`)
    assert.ok(without.stdout.text.includes(`pet-adoption-service keys issue ${flag} --id NAME --plan PLAN\n`))
    await stop(without)
    const { key } = await runJson<IssuedKey>(`keys issue ${flag} --id first --plan free`)
    const env = { PET_ADOPTION_API_KEY: 'the-key-of-the-suite' }
    const { base, ...server } = await startServer(`--port 0 ${flag}`, { env })
    assert.match(server.stderr.text, /warning: only the key in PET_ADOPTION_API_KEY is valid: .* are ignored/)
    assert.equal((await send(`${base}/pets`, { key })).status, 401)
    await stop(server)
  },
)
