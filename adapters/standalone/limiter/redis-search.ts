import { slots as slotCount } from '../../redis/client.ts'
import { explain } from '../errors.ts'
import type { Credentials, HostPort, RedisAddress } from './redis-address.ts'

/** Which server of a cluster has which slots. Servers are named `HOST:PORT`. */
export interface SlotMap {
  /** The master of each slot; undefined where none has it. `MOVED` changes single slots. */
  readonly slots: (string | undefined)[]
  readonly masters: readonly string[]
  /** The first slot of each master. It stays the same when a replica takes its slots over. */
  readonly firstSlots: ReadonlyMap<string, number>
}

/** How the masters of a cluster are found, or the one that Sentinels name. */
export interface Search {
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

/** Returns how the masters of an address are found. */
export function searchOf(address: Exclude<RedisAddress, { kind: 'single' }>): Search {
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

function nameOf({ host, port }: HostPort): string {
  return `${host}:${port}`
}

/**
 * Reads the reply to `CLUSTER SLOTS` of the server `informant`: ranges of a first slot, a last slot and a master (host,
 * port), whatever follows.
 *
 * @throws {Error} It is no such reply, or it names no server.
 */
export function readSlots(reply: unknown, informant: string): SlotMap {
  const slots = new Array<string | undefined>(slotCount).fill(undefined)
  for (const range of Array.isArray(reply) ? reply : []) {
    const [first, last, master] = Array.isArray(range) ? range : []
    const [host, port] = Array.isArray(master) ? master : []
    if (!isSlot(first) || !isSlot(last) || !Number.isInteger(port))
      throw new Error('an unexpected reply to CLUSTER SLOTS')
    const own = informant.slice(0, informant.lastIndexOf(':'))
    const name = `${host === null || host === '' || host === '?' ? own : host}:${port}`
    slots.fill(name, first, last + 1)
  }
  const firstSlots = new Map<string, number>()
  for (const [slot, name] of slots.entries())
    if (name !== undefined && !firstSlots.has(name)) firstSlots.set(name, slot)
  const masters = [...firstSlots.keys()]
  if (masters.length === 0) throw new Error('no server has the slot 0 of the cluster')
  return { slots, masters, firstSlots }
}

/** Returns the map of a master that has all slots. */
export function oneMaster(name: string): SlotMap {
  const slots = new Array<string | undefined>(slotCount).fill(name)
  return { slots, masters: [name], firstSlots: new Map([[name, 0]]) }
}

function isSlot(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < slotCount
}
