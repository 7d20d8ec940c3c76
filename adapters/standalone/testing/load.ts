import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createRandom } from '../../contracts/random.ts'
import { type Animal, acknowledge, type Creation, randomAnimal, sendCreation } from './animals.ts'
import { type ReceivedResponse, send } from './request.ts'

export type Kind = 'list' | 'create'

/** A request with its result. Times come from `performance.now()`. */
export interface LoadRequest {
  readonly kind: Kind
  readonly startedAt: number
  readonly endedAt: number
  /** The status, or the code of the error of a request that has no response. */
  readonly result: number | string
}

/** Clients that list and create animals, each one request after the other, also after failures. */
export interface Load {
  readonly exchanges: readonly LoadRequest[]
  readonly sent: readonly Creation[]
  /** The animals of all responses of 201. */
  readonly acknowledged: readonly Animal[]
  /** Resolves when `count` more requests, of this kind if it is given, have succeeded. Rejects after a minute. */
  more(count: number, kind?: Kind): Promise<void>
  /** Ends the clients. Resolves with the number of failures by result. */
  end(): Promise<Readonly<Record<string, number>>>
}

export interface LoadOptions {
  readonly key?: string
  /** Number of clients that list animals; 4 by default. */
  readonly lists?: number
  /** Number of clients that create animals; 8 by default. */
  readonly creates?: number
  /** Number of further clients that list animals, each request on a new connection; none by default. */
  readonly fresh?: number
  /** Give each creation an `Idempotency-Key` of its own; false by default. */
  readonly isKeyed?: boolean
}

export const isSuccess = ({ result }: LoadRequest): boolean => Number(result) < 300

/** Returns how often each result came. */
export function countBy(exchanges: readonly LoadRequest[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { result } of exchanges) counts[result] = (counts[result] ?? 0) + 1
  return counts
}

/** The loads of the test file so far: each one creates other animals. */
let loads = 0

/**
 * Starts the clients. Each has a connection of its own and pauses for 10 ms after each request. Clients of `fresh` open
 * a new connection for each request and pause for 1 ms. No request is retried.
 */
export function startLoad(base: string, options: LoadOptions = {}): Load {
  const { key = 'the-key-of-the-tests', lists = 4, creates = 8, fresh = 0, isKeyed = false } = options
  const seed = ++loads
  const agent = new Agent({ keepAlive: true })
  const exchanges: LoadRequest[] = []
  const sent: Creation[] = []
  const acknowledged: Animal[] = []
  let hasEnded = false
  after(() => {
    hasEnded = true // also of a test that has failed, which would never end otherwise
  })

  async function client(
    kind: Kind,
    sendNext: () => Promise<ReceivedResponse>,
    pauseMs: number,
  ): Promise<void> {
    while (!hasEnded) {
      const startedAt = performance.now()
      const result = await sendNext().then(
        ({ status }) => status,
        (error) => String(error.code ?? error),
      )
      exchanges.push({ kind, startedAt, endedAt: performance.now(), result })
      await setTimeout(pauseMs)
    }
  }

  function creator(number: number): () => Promise<ReceivedResponse> {
    const random = createRandom(seed * 1000 + number)
    let count = 0
    return async () => {
      const name = `Animal-${seed}-${number}-${count++}`
      const creation: Creation = { pet: randomAnimal(random, name), ...(isKeyed && { idempotencyKey: name }) }
      sent.push(creation)
      const response = await sendCreation(base, creation, { agent, key })
      if (response.status === 201) acknowledged.push(acknowledge(creation, response))
      return response
    }
  }

  const startClients = (count: number, start: (number: number) => Promise<void>) =>
    Array.from({ length: count }, (_, number) => start(number))
  const clients = [
    ...startClients(lists, () => client('list', () => send(`${base}/pets`, { key, agent }), 10)),
    ...startClients(creates, (number) => client('create', creator(number), 10)),
    ...startClients(fresh, () => client('list', () => send(`${base}/pets`, { key }), 1)),
  ]
  return {
    exchanges,
    sent,
    acknowledged,
    async more(count, kind) {
      const succeeded = () =>
        exchanges.filter((each) => isSuccess(each) && (kind ?? each.kind) === each.kind).length
      const end = performance.now() + 60_000
      for (const goal = succeeded() + count; succeeded() < goal; await setTimeout(5))
        assert.ok(performance.now() < end, 'the server does not respond')
    },
    async end() {
      hasEnded = true
      await Promise.all(clients)
      agent.destroy()
      return countBy(exchanges.filter((each) => !isSuccess(each)))
    },
  }
}
