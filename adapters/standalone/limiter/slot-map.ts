import { slots as slotCount } from '../../redis/client.ts'

/** Which server of a cluster has which slots. Servers are named `HOST:PORT`. */
export interface SlotMap {
  /** The master of each slot; undefined where none has it. `MOVED` changes single slots. */
  readonly slots: (string | undefined)[]
  readonly masters: readonly string[]
  /** The first slot of each master. It stays the same when a replica takes its slots over. */
  readonly firstSlots: ReadonlyMap<string, number>
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
