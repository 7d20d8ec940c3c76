import { slots as slotCount, slotOf } from '../../redis/client.ts'
import { explain } from '../errors.ts'
import type { Credentials, HostPort, RedisAddress } from './redis-address.ts'
import { causeOf, isConfiguration } from './redis-problem.ts'
import {
  openServer,
  type RedisConnection,
  type RedisDriver,
  type RedisServer,
  toError,
} from './redis-server.ts'
import { oneMaster, readSlots, type SlotMap } from './slot-map.ts'

type MastersAddress = Exclude<RedisAddress, { kind: 'single' }>

/** How the masters of a cluster are found, or the one that Sentinels name. */
interface Search {
  readonly question: readonly string[]
  /** Reads the reply of a server. Throws if it names no master. */
  read(reply: unknown, name: string): SlotMap
  /** Returns why a server has named no master, for people. */
  explain(cause: unknown, name: string): string
  /** The servers to ask, as `HOST:PORT`. The masters of a cluster are asked before them. */
  readonly seeds: readonly string[]
  /** What messages call such a server, before its name. */
  readonly title: string
  readonly credentials: Credentials
}

function searchOf(address: MastersAddress): Search {
  if (address.kind === 'cluster')
    return {
      question: ['CLUSTER', 'SLOTS'],
      read: readSlots,
      explain(cause, name) {
        const isAlone = /cluster support disabled/.test(String(cause))
        return `${name}: ${explain(cause, false)}${isAlone ? `: give its address as redis://${name}` : ''}`
      },
      seeds: address.seeds.map(nameOf),
      title: '',
      credentials: address.credentials,
    }
  const { sentinels, master, sentinelCredentials } = address
  return {
    question: ['SENTINEL', 'get-master-addr-by-name', master],
    read(reply, name) {
      if (!Array.isArray(reply)) throw new Error(`Sentinel ${name} knows no master of the name ${master}`)
      return oneMaster(nameOf({ host: String(reply[0]), port: Number(reply[1]) }))
    },
    explain: (cause) => `no Sentinel names a master: ${explain(cause, false)}`,
    seeds: sentinels.map(nameOf),
    title: 'Sentinel ',
    credentials: sentinelCredentials,
  }
}

/** How often a command follows `MOVED` or `ASK`. */
const maxRedirections = 3

/** The most servers. */
const maxServers = 1_000

/**
 * Connects to the masters of a cluster, or to the one that Sentinels name. Every refresh asks one server who they are, and
 * the next one where it does not respond. So a failover is followed within about a second after the servers have agreed on
 * it, also when the old master is only silent.
 */
export function connectMasters(driver: RedisDriver, address: MastersAddress): RedisConnection {
  const search = searchOf(address)
  /** By what messages call them. */
  const servers = new Map<string, RedisServer>()
  let map: SlotMap | undefined
  /** The server that is asked first. */
  let informant = search.seeds[0] ?? ''
  let problem: Error | undefined
  let isClosed = false

  function serverOf(name: string, title = '', credentials = address.credentials): RedisServer {
    const known = servers.get(title + name)
    if (known) return known
    if (isClosed || servers.size >= maxServers) throw new Error('the connection is closed')
    const colon = name.lastIndexOf(':')
    const socket = { host: name.slice(0, colon), port: Number(name.slice(colon + 1)) }
    const options = { ...credentials, socket: { ...socket, ...(address.tls && { tls: true }) } }
    const server = openServer(driver, title + name, options)
    servers.set(title + name, server)
    return server
  }

  /** The servers that may know the masters, the one that is asked first before the others. */
  function informants(): readonly string[] {
    const names = [...(address.kind === 'cluster' ? (map?.masters ?? []) : []), ...search.seeds]
    const first = names.indexOf(informant)
    return [...new Set(first < 0 ? names : [...names.slice(first), ...names.slice(0, first)])]
  }

  /** Asks the servers in turn. Throws what waiting may repair where any of them fails by such a cause. */
  async function readMap(): Promise<SlotMap> {
    const errors: Error[] = []
    for (const name of informants()) {
      try {
        const reply = await serverOf(name, search.title, search.credentials).ask(search.question)
        const found = search.read(reply, name)
        informant = name
        return found
      } catch (error) {
        errors.push(new Error(search.explain(error, name)))
      }
    }
    throw errors.find((error) => !isConfiguration(error)) ?? errors[0]
  }

  function closeUnused({ masters }: SlotMap): void {
    const used = new Set([...masters, search.title + informant])
    for (const [name, server] of servers) {
      if (used.has(name)) continue
      servers.delete(name)
      server.close()
    }
  }

  async function refresh(): Promise<Error | undefined> {
    const found = await readMap().catch(toError)
    // Where nobody responds, the masters that are known may still count.
    if (found instanceof Error) {
      if (!map) return found
    } else {
      map = found
      closeUnused(found)
    }
    const { masters, slots } = map
    const checks = await Promise.all(masters.map((name) => serverOf(name).check()))
    const failure = checks.find((check) => check !== undefined)
    // Another server may know more: those of a part that has lost the others respond, but what they know is old.
    if (failure) informant = informants()[1] ?? informant
    const missing = slots.indexOf(undefined)
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

function nameOf({ host, port }: HostPort): string {
  return `${host}:${port}`
}
