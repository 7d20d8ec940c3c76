import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { sha256 } from 'pet-adoption-service'
import { freePort } from '../../contracts/testing/free-port.ts'
import { temporaryFiles } from '../../contracts/testing/sqlite.ts'
import { type Launched, launch } from '../../standalone/testing/launch.ts'
import { baseAddressOf } from '../../standalone/testing/program.ts'
import { key } from './rules.ts'

/** A key whose limits no load reaches. */
export const loadKey = 'the-key-of-a-large-load'

/** Two servers behind a proxy, which share a SQLite file and a Redis. */
export interface TwoServers {
  readonly ports: readonly [one: number, two: number]
  /** Ends one by a signal, and starts it again. Resolves when the proxy uses it again. */
  restart(which: 0 | 1, signal: NodeJS.Signals): Promise<void>
}

/** Starts them with a Node that has SQLite. They end with the test file. */
export async function startTwoServers(node: string, redisPort: number): Promise<TwoServers> {
  const newFile = temporaryFiles()
  const [data, keys] = [newFile(), newFile('keys.json')]
  const records = [
    { id: 'rules', sha256: sha256(key), plan: 'pro' },
    { id: 'load', sha256: sha256(loadKey), plan: 'enterprise', limits: { minute: 1e8, day: 1e8 } },
  ]
  writeFileSync(keys, JSON.stringify({ keys: records }))
  const ports = [await freePort(), await freePort()] as const

  async function start(which: 0 | 1): Promise<Launched> {
    const flags = `--port ${ports[which]} --trust-proxy 1 --data ${data} --keys ${keys} --metrics-listen 127.0.0.1:0 --log json`
    const server = launch(`${flags} --redis redis://127.0.0.1:${redisPort}`, { node })
    await baseAddressOf(server)
    return server
  }

  const servers = [await start(0), await start(1)]

  async function restart(which: 0 | 1, signal: NodeJS.Signals): Promise<void> {
    const old = servers[which] ?? assert.fail()
    old.child.kill(signal)
    assert.equal(await old.end, signal === 'SIGKILL' ? signal : 0)
    const server = await start(which)
    servers[which] = server
    await server.stdout.until(/"operation":"listPets"/)
  }

  return { ports, restart }
}
