import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { testWith } from '../contracts/testing/resource.ts'
import { createTcpProxy } from '../contracts/testing/tcp-proxy.ts'
import { createTemporaryDatabases } from '../standalone/testing/storages.ts'
import { openPostgres } from './index.ts'

const it = testWith(await createTemporaryDatabases())

describe('openPostgres', () => {
  it('reports an outage and its end without any request', async (t, newDatabase) => {
    const url = new URL(await newDatabase())
    const proxy = await createTcpProxy(Number(url.port))
    url.port = String(proxy.port)
    const events: string[] = []
    const { check, close } = await openPostgres({
      driver: pg,
      url: url.href,
      onEvent: ({ level, message, cause }) => void events.push(`${level}: ${message}: ${cause}`),
    })
    t.after(close)
    await check()
    await proxy.cut()
    while (!/warning: reads are failing: .*no connection to PostgreSQL/.test(events.join()))
      await setTimeout(100)
    await proxy.recover()
    while (!events.at(-1)?.startsWith('info: the store has recovered')) await setTimeout(100)
  })

  it('names the host if PostgreSQL is unreachable', async () => {
    const proxy = await createTcpProxy(1)
    const url = `postgres://pets:secret@127.0.0.1:${proxy.port}/pets`
    const at = `no connection to PostgreSQL at 127.0.0.1:${proxy.port}: `
    proxy.silent = true
    await assert.rejects(openPostgres({ driver: pg, url }), {
      name: 'StartupError',
      code: 'unavailable',
      message: `${at}no response within 5 s`,
    })
    await proxy.cut()
    const refused = `${at}connect ECONNREFUSED 127.0.0.1:${proxy.port}`
    await assert.rejects(openPostgres({ driver: pg, url }), {
      name: 'StartupError',
      code: 'unavailable',
      message: refused,
    })
  })
})
