import { slots as slotCount, slotOf } from '../../redis/slot.ts'
import { explain } from '../errors.ts'
import type { RedisAddress } from './redis-address.ts'
import type { RedisConnection, RedisDriver } from './redis-driver.ts'
import { causeOf, isConfiguration } from './redis-problem.ts'
import { openServer, type RedisServer, toError } from './redis-server.ts'
import { readSlots, type SlotMap } from './slot-map.ts'

type ClusterAddress = Extract<RedisAddress, { kind: 'cluster' }>

/** How often a command follows `MOVED` or `ASK`. */
const maxRedirections = 3

/** The most servers. */
const maxServers = 1_000

/**
 * Connects to the masters of a cluster. Every refresh reads which of them has which slots, so that a failover is
 * followed within about a second after the cluster has agreed on it, also when the old master is only silent.
 */
export function connectCluster(driver: RedisDriver, address: ClusterAddress): RedisConnection {
  const { seeds, credentials, tls } = address
  const servers = new Map<string, RedisServer>()
  const seedNames = seeds.map(({ host, port }) => nameOf(host, port))
  let map: SlotMap | undefined
  /** The server that responded last. */
  let informant = seedNames[0] ?? ''
  let problem: Error | undefined
  let isClosed = false

  function serverOf(name: string): RedisServer {
    const known = servers.get(name)
    if (known) return known
    if (isClosed || servers.size >= maxServers) throw new Error('the connection is closed')
    const colon = name.lastIndexOf(':')
    const [host, port] = [name.slice(0, colon), Number(name.slice(colon + 1))]
    const server = openServer(driver, name, {
      ...credentials,
      socket: { host, port, ...(tls && { tls }) },
    })
    servers.set(name, server)
    return server
  }

  async function readMap(): Promise<SlotMap> {
    const errors: Error[] = []
    const names = new Set([informant, ...(map?.masters ?? []), ...seedNames])
    for (const name of names) {
      try {
        const found = readSlots(await serverOf(name).ask(['CLUSTER', 'SLOTS']), name)
        informant = name
        return found
      } catch (error) {
        const hint = /cluster support disabled/.test(String(error))
          ? `: give its address as redis://${name}`
          : ''
        errors.push(new Error(`${name}: ${explain(error, false)}${hint}`))
      }
    }
    throw (
      errors.find((error) => !isConfiguration(error)) ?? errors[0] ?? new Error('the connection is closed')
    )
  }

  function closeUnused(): void {
    const used = new Set([informant, ...(map?.masters ?? [])])
    for (const [name, server] of servers) {
      if (used.has(name)) continue
      servers.delete(name)
      server.close()
    }
  }

  async function refresh(): Promise<Error | undefined> {
    const found = await readMap().catch(toError)
    if (found instanceof Error) return found
    map = found
    closeUnused()
    const checks = await Promise.all(found.masters.map((name) => serverOf(name).check()))
    const failure = checks.find((check) => check !== undefined)
    // The servers of a part that has lost the others respond, but their map is old.
    if (failure)
      informant = found.masters[(found.masters.indexOf(informant) + 1) % found.masters.length] ?? informant
    const missing = found.slots.indexOf(undefined)
    return (
      failure ?? (missing < 0 ? undefined : new Error(`no server has the slot ${missing} of the cluster`))
    )
  }

  async function send(args: readonly string[], key: string): Promise<unknown> {
    const slot = slotOf(key)
    let name = map?.slots[slot]
    if (name === undefined) throw problem ?? new Error(`no server has the slot ${slot} of the cluster`)
    let asking = false
    for (let redirections = 0; ; redirections++) {
      const server = serverOf(name)
      try {
        if (asking) void server.send(['ASKING']).catch(() => {}) // the next command reports the failure
        return await (redirections > 0 && !asking ? server.ask(args) : server.send(args))
      } catch (error) {
        const [, kind, target] = /\b(MOVED|ASK) \d+ (\S+)/.exec(String(error)) ?? []
        if (causeOf(error) === 'slots') informant = ''
        if (target === undefined || redirections >= maxRedirections) throw error
        asking = kind === 'ASK'
        // A server that does not know its own address leaves the host out.
        name = target.startsWith(':') ? `${name.slice(0, name.lastIndexOf(':'))}${target}` : target
        if (kind === 'MOVED' && map) map.slots[slot] = name
      }
    }
  }

  return {
    send,
    shardOf(key) {
      const name = map?.slots[slotOf(key)]
      return name === undefined ? slotCount : (map?.firstSlots.get(name) ?? slotCount)
    },
    async refresh() {
      try {
        problem = await refresh()
      } catch (error) {
        problem = toError(error)
      }
      return problem
    },
    close() {
      isClosed = true
      for (const server of servers.values()) server.close()
    },
  }
}

function nameOf(host: string, port: number): string {
  return `${host}:${port}`
}
