import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { allOf, type Part } from './part.ts'
import { createPrivateRedis, type PrivateRedis } from './private-redis.ts'

const run = promisify(execFile)

/** A Redis Cluster of three masters, each with a replica, which one test file starts for itself. */
export interface PrivateCluster {
  readonly servers: readonly PrivateRedis[]
  /** Returns the server that another server knows as the owner of a key's slot. */
  masterOf(key: string, except?: PrivateRedis): Promise<PrivateRedis>
  /**
   * Fulfills when all servers that run agree that every slot has a master, and every replica has the data of its own:
   * only then it may take its place.
   */
  settled(except?: PrivateRedis): Promise<void>
}

/** Starts one, if this machine has the programs. The others fail a master over after two seconds without a response. */
export async function createPrivateCluster(): Promise<Part<PrivateCluster>> {
  const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000', '--cluster-port']
  const ports = await Promise.all(Array.from({ length: 6 }, freePort))
  const all = allOf(
    ...(await Promise.all(ports.map((port) => createPrivateRedis(...settings, String(port))))),
  )
  if ('absent' in all) return all
  const servers = all.value
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`)
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'])

  async function isSettled(server: PrivateRedis): Promise<boolean> {
    const cluster = await runCommand(server, 'CLUSTER', 'INFO')
    const replication = await runCommand(server, 'INFO', 'replication')
    const hasData = !replication.includes('role:slave') || replication.includes('master_link_status:up')
    return hasData && cluster.includes('cluster_state:ok')
  }

  async function settled(except?: PrivateRedis): Promise<void> {
    for (const server of servers.filter((each) => each !== except))
      while (!(await isSettled(server))) await setTimeout(50)
  }

  /** Returns a server of the cluster. */
  function find(isWanted: (server: PrivateRedis) => boolean): PrivateRedis {
    const found = servers.find(isWanted)
    if (!found) throw new Error('the cluster has no such server')
    return found
  }

  await settled()
  const value: PrivateCluster = {
    servers,
    settled,
    async masterOf(key, except) {
      const informant = find((server) => server !== except)
      const response = await runCommand(informant, 'GET', key)
      if (response.startsWith('CLUSTERDOWN')) return value.masterOf(key, except) // it fails over
      // Such as "MOVED 3999 127.0.0.1:6381" from all but the master of the slot.
      const [, port = informant.port] = /^MOVED \d+ .*:(\d+)$/.exec(response) ?? []
      return find((server) => server.port === Number(port))
    },
  }
  return { value }
}

/** Returns the response of a server to a command, as text. */
export async function runCommand({ port }: Pick<PrivateRedis, 'port'>, ...args: string[]): Promise<string> {
  const { stdout } = await run('redis-cli', ['-p', String(port), ...args], { timeout: 20_000 })
  return stdout.trim()
}
