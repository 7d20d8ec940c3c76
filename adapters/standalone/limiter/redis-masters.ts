import { slots as slotCount, slotOf } from '../../redis/client.ts'
import type { RedisAddress } from './redis-address.ts'
import { causeOf, isConfiguration } from './redis-problem.ts'
import { oneMaster, type Search, type SlotMap, searchOf } from './redis-search.ts'
import {
  openServer,
  type RedisConnection,
  type RedisDriver,
  type RedisServer,
  toError,
} from './redis-server.ts'

/** How often a command follows `MOVED` or `ASK`. */
const maxRedirections = 3

/** The most servers. */
const maxServers = 1_000

/**
 * Connects to one Redis, to the masters of a cluster, or to the one that Sentinels name. Every refresh asks one server who they
 * are, and the next one where it does not respond. So a failover is followed within about a second after the servers have agreed
 * on it, also when the old master is only silent. Where the address of one Redis leads to a replica after a failover, the
 * connection is made again, so that the name is resolved anew.
 */
export function connectRedis(driver: RedisDriver, address: RedisAddress): RedisConnection {
  const search = address.kind === 'single' ? undefined : searchOf(address)
  /** By what messages call them. */
  const servers = new Map<string, RedisServer>()
  let map = address.kind === 'single' ? oneMaster(new URL(address.url).host) : undefined
  /** The server that is asked first. */
  let informant = search?.seeds[0] ?? ''
  let problem: Error | undefined
  let isClosed = false

  /** Returns a server that counts, or one that `search` asks. */
  function serverOf(name: string, asked?: Search): RedisServer {
    const title = (asked?.title ?? '') + name
    const known = servers.get(title)
    if (known) return known
    if (isClosed || servers.size >= maxServers) throw new Error('the connection is closed')
    const server = openServer(driver, title, optionsOf(name, asked), address.kind === 'cluster')
    servers.set(title, server)
    return server
  }

  function optionsOf(name: string, asked: Search | undefined): object {
    if (address.kind === 'single') return { url: address.url }
    const colon = name.lastIndexOf(':')
    const socket = { host: name.slice(0, colon), port: Number(name.slice(colon + 1)) }
    const { credentials } = asked ?? address
    return { ...credentials, socket: { ...socket, ...(address.tls && { tls: true }) } }
  }

  function close(name: string): void {
    servers.get(name)?.close()
    servers.delete(name)
  }

  /** The servers that may know the masters, the one that is asked first before the others. */
  function informants({ seeds }: Search): readonly string[] {
    const names = [...(address.kind === 'cluster' ? (map?.masters ?? []) : []), ...seeds]
    const first = names.indexOf(informant)
    return [...new Set(first < 0 ? names : [...names.slice(first), ...names.slice(0, first)])]
  }

  /** Asks the servers in turn. Throws what waiting may repair where any of them fails by such a cause. */
  async function readMap(search: Search): Promise<SlotMap> {
    const errors: Error[] = []
    for (const name of informants(search)) {
      try {
        const reply = await serverOf(name, search).ask(search.question)
        const found = search.read(reply, name)
        informant = name
        return found
      } catch (error) {
        errors.push(new Error(search.explain(error, name)))
      }
    }
    throw errors.find((error) => !isConfiguration(error)) ?? errors[0]
  }

  async function refresh(): Promise<Error | undefined> {
    const found = search && (await readMap(search).catch(toError))
    if (search && found && !(found instanceof Error)) {
      map = found
      const used = new Set([...found.masters, search.title + informant])
      for (const name of servers.keys()) if (!used.has(name)) close(name)
    }
    // Where nobody responds, the masters that are known may still count.
    if (!map) return found instanceof Error ? found : undefined
    const { masters, slots } = map
    const checks = await Promise.all(masters.map((name) => serverOf(name).check()))
    const failure = checks.find((check) => check !== undefined)
    // Another server may know more: those of a part that has lost the others respond, but what they know is old.
    if (failure && search) informant = informants(search)[1] ?? informant
    if (address.kind === 'single' && causeOf(failure) === 'replica') for (const name of masters) close(name)
    const missing = slots.indexOf(undefined)
    return (
      failure ?? (missing < 0 ? undefined : new Error(`no server has the slot ${missing} of the cluster`))
    )
  }

  const slotIn = (key: string) => (search ? slotOf(key) : 0)

  async function send(args: readonly string[], key: string): Promise<unknown> {
    const slot = slotIn(key)
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
        if (target === undefined || !search || redirections >= maxRedirections) throw error
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
      const name = map?.slots[slotIn(key)]
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
      for (const name of servers.keys()) close(name)
    },
  }
}
