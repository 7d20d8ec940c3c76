import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { findFreePort } from './free-port.ts'
import { createPrivateRedis, type PrivateRedis } from './private-redis.ts'
import { combineResources, type Resource } from './resource.ts'

const runFile = promisify(execFile)

/** A Redis Cluster for one test file. */
export interface PrivateCluster {
  readonly servers: readonly PrivateRedis[]
  /** Returns the master for a key. `except` is a server that does not respond. */
  findMaster(key: string, except?: PrivateRedis): Promise<PrivateRedis>
  /** Waits until every server reports that the cluster works, and every replica has its data. */
  waitUntilSettled(except?: PrivateRedis): Promise<void>
}

/**
 * Starts a Redis Cluster, and stops it after the tests. A failover starts when a master has not responded for 2 s.
 *
 * @param replicas - How many replicas each of the three masters has.
 */
export async function createPrivateCluster(replicas = 1): Promise<Resource<PrivateCluster>> {
  const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--cluster-port']
  const ports = await Promise.all(Array.from({ length: 3 * (1 + replicas) }, findFreePort))
  const allServers = combineResources(
    ...(await Promise.all(ports.map((port) => createPrivateRedis(...settings, String(port))))),
  )
  if ('absent' in allServers) return allServers
  const servers = allServers.value
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`)
  await runFile('redis-cli', [
    '--cluster',
    'create',
    ...addresses,
    '--cluster-replicas',
    String(replicas),
    '--cluster-yes',
  ])

  async function isSettled(server: PrivateRedis): Promise<boolean> {
    const cluster = await runCommand(server, 'CLUSTER', 'INFO')
    const replication = await runCommand(server, 'INFO', 'replication')
    const hasData = !replication.includes('role:slave') || replication.includes('master_link_status:up')
    return hasData && cluster.includes('cluster_state:ok')
  }

  async function waitUntilSettled(except?: PrivateRedis): Promise<void> {
    for (const server of servers.filter((each) => each !== except))
      while (!(await isSettled(server))) await setTimeout(200) // each attempt starts two processes
  }

  /** Returns the first matching server. */
  function findServer(isWanted: (server: PrivateRedis) => boolean): PrivateRedis {
    const foundServer = servers.find(isWanted)
    if (!foundServer) throw new Error('no server in the Redis cluster meets the condition')
    return foundServer
  }

  await waitUntilSettled()
  const value: PrivateCluster = {
    servers,
    waitUntilSettled,
    async findMaster(key, except) {
      const otherServer = findServer((server) => server !== except)
      const response = await runCommand(otherServer, 'GET', key)
      if (response.startsWith('CLUSTERDOWN')) return value.findMaster(key, except) // the cluster is failing over
      // Unless the server is the key's master, it returns a redirect such as `MOVED 3999 127.0.0.1:6381`.
      const [, port = otherServer.port] = /^MOVED \d+ .*:(\d+)$/.exec(response) ?? []
      return findServer((server) => server.port === Number(port))
    },
  }
  return { value }
}

/** Runs a command with `redis-cli`. */
export async function runCommand({ port }: Pick<PrivateRedis, 'port'>, ...args: string[]): Promise<string> {
  const { stdout } = await runFile('redis-cli', ['-p', String(port), ...args], { timeout: 20_000 })
  return stdout.trim()
}
