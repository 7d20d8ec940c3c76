import assert from 'node:assert/strict'
import { testWith } from '../../contracts/testing/part.ts'
import { assertStored, readAll, startCreating, unlimited } from '../testing/animals.ts'
import { stop } from '../testing/command.ts'
import { type LaunchedServer, launchServer } from '../testing/launch.ts'
import { send } from '../testing/request.ts'
import { temporaryDatabases } from '../testing/storages.ts'

const databases = await temporaryDatabases()

/** Three servers, started at once. */
async function startFleet(database: string): Promise<LaunchedServer[]> {
  const start = () => launchServer(`--port 0 --log silent --postgres ${database}`, { env: unlimited })
  return Promise.all([start(), start(), start()])
}

testWith(databases)(
  'three servers that start at once on an empty database create, list and page as one',
  async (_t, newDatabase) => {
    const fleet = await startFleet(await newDatabase())
    const creators = fleet.map(({ base }, i) => startCreating(base, 4, i))
    await Promise.all(creators.map(({ more }) => more(150)))
    const before = creators.flatMap(({ acknowledged }) => [...acknowledged])
    for (const { base } of fleet) assertStored(await readAll(base), before)
    await Promise.all(creators.map(({ end }) => end()))
    const acknowledged = creators.flatMap((each) => each.acknowledged)
    const [first = [], second, third] = await Promise.all(fleet.map(({ base }) => readAll(base)))
    assertStored(first, acknowledged)
    assert.equal(first.length, acknowledged.length)
    assert.deepEqual([second, third], [first, first])
    assert.deepEqual(
      creators.flatMap(({ otherResponses }) => otherResponses),
      [],
    )
    await stop(...fleet)
  },
)

testWith(databases)(
  'of two hundred requests with one Idempotency-Key at once, on several servers, one adds an animal',
  async (_t, newDatabase) => {
    const fleet = await startFleet(await newDatabase())
    const add = ({ base }: LaunchedServer) =>
      send(`${base}/pets`, {
        method: 'POST',
        key: 'the-key-of-the-tests',
        idempotencyKey: 'rex',
        body: '{"name":"Rex","categoryId":1}',
      })
    const servers = Array.from({ length: 200 }, (_, i) => fleet[i % fleet.length] ?? assert.fail())
    const responses = await Promise.all(servers.map(add))
    const [first, ...others] = responses.filter(
      ({ status, headers }) => status === 201 && headers['idempotency-replayed'] === undefined,
    )
    assert.ok(first)
    assert.deepEqual(others, [])
    for (const { status, headers, body } of responses)
      if (status === 201) assert.equal(body, first.body)
      else assert.deepEqual([status, headers['retry-after']], [409, '1'])
    for (const server of fleet) {
      const { headers, body } = await add(server)
      assert.deepEqual([headers['idempotency-replayed'], body], ['true', first.body])
      assert.equal((await readAll(server.base)).length, 1)
    }
    await stop(...fleet)
  },
)
