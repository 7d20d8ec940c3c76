import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { after } from 'node:test'
import { createFileNamer } from '../../contracts/testing/sqlite.ts'
import { createKeyRecord } from '../keys/key-list.ts'
import { type LaunchedServer, launchServer } from './launch.ts'
import { type ReceivedResponse, send } from './request.ts'

/** Servers that share limits in Redis. */
export interface LimitedServers {
  readonly servers: readonly LaunchedServer[]
  /** Sends a request with a caller's API key. */
  sendRequest(server: LaunchedServer, id: string): Promise<ReceivedResponse>
  /** Sends requests through all servers in parallel, 40 each by default. Returns how many succeeded. */
  countAdmitted(id: string, each?: number): Promise<number>
  /** Checks that 60 requests were allowed, plus one for each second that the requests took. */
  assertExactLimit(id: string, each?: number): Promise<void>
}

/** An API key whose limit no test reaches. */
export const loadKey = 'key-load'

/** Returns a function that starts servers with one API key for each caller ID. */
export function createLimitedServerStarter(): (
  count: number,
  redis: string,
  ids: readonly string[],
) => Promise<LimitedServers> {
  const newFile = createFileNamer()
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  after(() => agent.destroy())
  return async (count, redis, ids) => {
    const keys = newFile('keys.json')
    const limits = { minute: 10_000_000, day: 100_000_000 }
    const records = ids.map((id) => createKeyRecord(id, `key-${id}`, { plan: 'free' }))
    records.push(createKeyRecord('load', loadKey, { plan: 'enterprise', limits }))
    writeFileSync(keys, JSON.stringify({ keys: records }))
    const flags = `--port 0 --memory --metrics --redis ${redis} --keys ${keys}`
    const servers = await Promise.all(Array.from({ length: count }, () => launchServer(flags)))
    const sendRequest = ({ base }: LaunchedServer, id: string) =>
      send(`${base}/pets`, { key: `key-${id}`, agent })
    const countAdmitted = async (id: string, each = 40) => {
      const requests = servers.flatMap((server) =>
        Array.from({ length: each }, () => sendRequest(server, id)),
      )
      const statuses = (await Promise.all(requests)).map(({ status }) => status)
      assert.ok(statuses.every((status) => status === 200 || status === 429))
      return statuses.filter((status) => status === 200).length
    }
    return {
      servers,
      sendRequest,
      countAdmitted,
      async assertExactLimit(id, each) {
        const startedAt = performance.now()
        const count = await countAdmitted(id, each)
        const seconds = (performance.now() - startedAt) / 1000
        assert.ok(
          count >= 60 && count <= 60 + Math.floor(seconds),
          `${count} requests allowed in ${seconds} s, limit 60`,
        )
      },
    }
  }
}
