import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { after } from 'node:test'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { createKeyRecord } from '../keys/key.ts'
import { type LaunchedServer, launchServer } from './launch.ts'
import { type ReceivedResponse, send } from './request.ts'

/** Servers that store animals in memory, and share their limits in Redis. */
export interface LimitedServers {
  readonly servers: readonly LaunchedServer[]
  /** Lists animals with the key of an id, on a connection that is kept. */
  ask(server: LaunchedServer, id: string): Promise<ReceivedResponse>
  /** Sends `each` requests (40) with the key of an id, to each server at once. Returns how many pass of 60. */
  admitted(id: string, each?: number): Promise<number>
  /** Asserts that these requests admit the limit, and one more for each second that they take on a busy machine. */
  assertExact(id: string, each?: number): Promise<void>
}

/** The key whose limits no load reaches. */
export const loadKey = 'key-load'

/** Returns a function that starts servers with a key of 60 requests a minute for each id, and one without limits. */
export function limitedServers(): (
  count: number,
  redis: string,
  ids: readonly string[],
) => Promise<LimitedServers> {
  const newFile = temporaryFiles()
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
    const ask = ({ base }: LaunchedServer, id: string) => send(`${base}/pets`, { key: `key-${id}`, agent })
    const admitted = async (id: string, each = 40) => {
      const requests = servers.flatMap((server) => Array.from({ length: each }, () => ask(server, id)))
      const statuses = (await Promise.all(requests)).map(({ status }) => status)
      assert.ok(statuses.every((status) => status === 200 || status === 429))
      return statuses.filter((status) => status === 200).length
    }
    return {
      servers,
      ask,
      admitted,
      async assertExact(id, each) {
        const began = performance.now()
        const count = await admitted(id, each)
        const seconds = (performance.now() - began) / 1000
        assert.ok(count >= 60 && count <= 60 + Math.floor(seconds), `${count} of 60 in ${seconds} s`)
      },
    }
  }
}
