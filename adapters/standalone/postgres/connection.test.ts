import assert from 'node:assert/strict'
import pg from 'pg'
import { mapPart, testWith } from '../../contracts/testing/part.ts'
import { createPrivatePostgres } from '../../contracts/testing/private-postgres.ts'
import { createTcpProxy } from '../../contracts/testing/tcp-proxy.ts'
import { type Connection, openConnection } from './connection.ts'
import type { Pg } from './driver.ts'

const server = await createPrivatePostgres()
const kinds = {
  TCP: mapPart(server, ({ url }) => url),
  'a Unix socket': mapPart(server, ({ socketUrl }) => socketUrl),
}

/** Opens a connection, and another one that sees the backends. */
async function open(url: string): Promise<{ connection: Connection; backends: () => Promise<number> }> {
  const connection = openConnection(
    pg as unknown as Pg,
    `${url}${url.includes('?') ? '&' : '?'}application_name=pets`,
  )
  await connection.opened
  return {
    connection,
    async backends() {
      const client = new pg.Client(url)
      await client.connect()
      const { rows } = await client.query(
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'pets'",
      )
      await client.end()
      return rows[0].count
    },
  }
}

for (const [name, part] of Object.entries(kinds)) {
  const test = testWith(part)

  test(`over ${name}, a statement is cancelled, and the connection ends after it`, async (_t, url) => {
    const { connection, backends } = await open(url)
    const result = connection.query('SELECT pg_sleep(60)')
    connection.end()
    assert.equal(await backends(), 1)
    assert.equal(await connection.cancel(), true)
    await assert.rejects(result, { code: '57014' })
    await connection.closed
    assert.equal(await backends(), 0)
  })

  test(`over ${name}, a connection that is broken has no backend any more`, async (_t, url) => {
    const { connection, backends } = await open(url)
    connection.break()
    await connection.closed
    assert.equal(await backends(), 0)
  })

  test(`over ${name}, a connection that cannot be opened is closed`, async (_t, url) => {
    const connection = openConnection(
      pg as unknown as Pg,
      url.replace(/\/postgres(?=$|\?)/, '/no-such-database'),
    )
    await assert.rejects(connection.opened, { code: '3D000' })
    connection.break()
    await connection.closed
  })
}

testWith(server)('a silent server does not accept a request to cancel', async (_t, { port, url }) => {
  const proxy = await createTcpProxy(port)
  const { connection } = await open(url.replace(String(port), String(proxy.port)))
  proxy.silence()
  assert.equal(await connection.cancel(), false)
  await proxy.cut()
  assert.equal(await connection.cancel(), false)
  await connection.closed
})
