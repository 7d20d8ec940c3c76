import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'redis'
import { freePort } from '../../../adapters/contracts/testing/free-port.ts'
import { startChild } from './child.ts'
import { cpuSecondsOf } from './cpu-time.ts'
import type { Endings } from './endings.ts'

/** A Redis of this run. */
export interface RedisPart {
  readonly url: string
  cpuSeconds(): number
  /** Returns how many scripts it has run. */
  calls(): Promise<number>
  /** Returns how many keys it stores, and the memory that it uses, in bytes. */
  stored(): Promise<{ readonly keys: number; readonly bytes: number }>
  clear(): Promise<void>
  version(): Promise<string>
}

/** Starts a Redis that saves nothing. */
export async function startRedis(endings: Endings): Promise<RedisPart> {
  const folder = mkdtempSync(join(tmpdir(), 'pets-fleet-redis-'))
  endings.add(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '']
  const ready = /Ready to accept connections/
  const { pid } = await startChild(['redis-server', ...place], { ready, signal: 'SIGKILL' }, endings)
  const url = `redis://127.0.0.1:${port}`
  const client = createClient({ url })
  client.on('error', () => {}) // a command that fails rejects by itself
  await client.connect()
  endings.add(() => client.destroy())
  return {
    url,
    cpuSeconds: () => cpuSecondsOf(pid),
    async calls() {
      const stats = await client.sendCommand(['INFO', 'commandstats'])
      return numbersIn(stats, /^cmdstat_eval(?:sha)?:calls=(\d+)/gm)
    },
    async stored() {
      const memory = await client.sendCommand(['INFO', 'memory'])
      return {
        keys: Number(await client.sendCommand(['DBSIZE'])),
        bytes: numbersIn(memory, /^used_memory:(\d+)/gm),
      }
    },
    async version() {
      return /^redis_version:(\S+)/m.exec(String(await client.sendCommand(['INFO', 'server'])))?.[1] ?? ''
    },
    async clear() {
      await client.sendCommand(['FLUSHALL'])
    },
  }
}

/** Returns the sum of the numbers that a pattern finds. */
function numbersIn(text: unknown, pattern: RegExp): number {
  return [...String(text).matchAll(pattern)].reduce((sum, [, number]) => sum + Number(number), 0)
}
