import { execFile, spawnSync } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { allOf, type Part } from './part.ts'
import { createPrivateRedis, type PrivateRedis } from './private-redis.ts'

const run = promisify(execFile)

/** A Redis Cluster of three masters, each with a replica, which one test file starts for itself. */
export interface PrivateCluster {
  readonly servers: readonly PrivateRedis[]
  /** Returns the server that has the slot of a key at present, as another one knows. */
  masterOf(key: string, except?: PrivateRedis): Promise<PrivateRedis>
  /**
   * Fulfills when all servers that run agree that every slot has a master, and every replica has the data of its own:
   * only then it may take its place.
   */
  settled(except?: PrivateRedis): Promise<void>
}

/** After how long without a response the others fail a master over, in milliseconds. */
export const nodeTimeoutMs = 2000

/** Starts one, if this machine has the programs. */
export async function createPrivateCluster(...settings: string[]): Promise<Part<PrivateCluster>> {
  if (spawnSync('redis-cli', ['--version']).error) return { absent: 'this machine has no redis-cli' }
  const parts = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const bus = ['--cluster-port', String(await freePort())]
      const timeout = ['--cluster-node-timeout', String(nodeTimeoutMs)]
      return createPrivateRedis('--cluster-enabled', 'yes', ...bus, ...timeout, ...settings)
    }),
  )
  const all = allOf(...parts)
  if ('absent' in all) return all
  const servers = all.value
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`)
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'])

  async function isSettled(server: PrivateRedis): Promise<boolean> {
    const [cluster, replication] = [
      await commandOf(server, 'CLUSTER', 'INFO'),
      await commandOf(server, 'INFO', 'replication'),
    ]
    const hasData = !replication.includes('role:slave') || replication.includes('master_link_status:up')
    return hasData && cluster.includes('cluster_state:ok')
  }

  async function settled(except?: PrivateRedis): Promise<void> {
    for (const server of servers.filter((each) => each !== except))
      while (!(await isSettled(server))) await setTimeout(50)
  }

  await settled()
  const value: PrivateCluster = {
    servers,
    settled,
    async masterOf(key, except) {
      const informant = servers.find((server) => server !== except) ?? fail()
      const slot = Number(await commandOf(informant, 'CLUSTER', 'KEYSLOT', key))
      const nodes = (await commandOf(informant, 'CLUSTER', 'NODES')).split('\n')
      const master = nodes.find((node) => isMasterOf(node, slot)) ?? fail()
      const port = Number(/127\.0\.0\.1:(\d+)@/.exec(master)?.[1])
      return servers.find((server) => server.port === port) ?? fail()
    },
  }
  return { value }
}

function isMasterOf(node: string, slot: number): boolean {
  const [, , flags = '', , , , , , ...ranges] = node.split(' ')
  return (
    flags.includes('master') &&
    !flags.includes('fail') &&
    ranges.some((range) => {
      const [first = 0, last = first] = range.split('-').map(Number)
      return first <= slot && slot <= last
    })
  )
}

/** Returns the response of a server to a command, as text. */
export async function commandOf({ port }: Pick<PrivateRedis, 'port'>, ...args: string[]): Promise<string> {
  const { stdout } = await run('redis-cli', ['-p', String(port), ...args], { timeout: 20_000 })
  return stdout.trim()
}

function fail(): never {
  throw new Error('the cluster has no such server')
}
