import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { animalsOf } from './animals.ts'
import { type ReceivedResponse, send } from './request.ts'

/** A creation with a key of its own. */
export interface KeyedCreation {
  readonly idempotencyKey: string
  /** Unique, so that an animal that is there twice is found. */
  readonly categoryId: string
  /** The body of its 201, once that has arrived. */
  acknowledged?: string
}

/** Clients that create animals with keys, each one after the other, until the server is gone. */
export interface KeyedCreators {
  readonly sent: readonly KeyedCreation[]
  /** Resolves with the ids of the first acknowledged animals when there are `count` of them; rejects if the server is gone before. */
  first(count: number): Promise<readonly string[]>
  /** Resolves when every client has ended. */
  readonly ended: Promise<void>
}

export interface ServerWithKey {
  readonly base: string
  /** The API key. */
  readonly key: string
}

const clients = 4
/** More than any client creates in a round. */
const mostOfClient = 100_000

/** Sends a creation, for the first time or again. */
export function create(
  { base, key }: ServerWithKey,
  { idempotencyKey, categoryId }: KeyedCreation,
  agent: Agent,
): Promise<ReceivedResponse> {
  const body = `{"name":"Rex","categoryId":${categoryId}}`
  return send(`${base}/pets`, { method: 'POST', key, idempotencyKey, body, agent })
}

/** Returns the id of an animal in JSON. */
export function idOf(json: string): string {
  return animalsOf(`[${json}]`)[0]?.id ?? ''
}

/** Starts clients whose keys and animals no other round has. */
export function startKeyedCreators(server: ServerWithKey, round: number): KeyedCreators {
  const sent: KeyedCreation[] = []
  const agent = new Agent({ keepAlive: true })
  let creating = clients

  async function createUntilGone(client: number): Promise<void> {
    for (let i = 0; ; i++) {
      const categoryId = String((round * clients + client) * mostOfClient + i)
      const creation: KeyedCreation = { idempotencyKey: `creation-${categoryId}`, categoryId }
      sent.push(creation)
      const response = await create(server, creation, agent).catch(() => undefined)
      if (!response) break
      assert.equal(response.status, 201, response.body)
      assert.equal(response.headers['idempotency-replayed'], undefined)
      creation.acknowledged = response.body
    }
    creating--
  }

  const all = Promise.all(Array.from({ length: clients }, (_, client) => createUntilGone(client)))
  return {
    sent,
    async first(count) {
      for (;;) {
        const ids = sent.flatMap(({ acknowledged }) => (acknowledged ? [idOf(acknowledged)] : []))
        if (ids.length >= count) return ids.slice(0, count)
        assert.ok(creating > 0, 'every client has ended')
        await setTimeout(2)
      }
    },
    ended: all.then(() => agent.destroy()),
  }
}
