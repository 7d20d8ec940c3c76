import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createRandom } from '../../contracts/random.ts'
import { type Animal, acknowledge, type Creation, createRandomAnimal, sendCreation } from './animals.ts'
import { type ReceivedResponse, send } from './request.ts'

export type RequestKind = 'list' | 'create'

export interface LoadRequest {
  readonly kind: RequestKind
  readonly startedAt: number
  readonly endedAt: number
  /** The response status, or the error code if there is no response. */
  readonly result: number | string
}

/** Clients that send requests until they are stopped. */
export interface Load {
  readonly requests: readonly LoadRequest[]
  readonly sent: readonly Creation[]
  /** Created animals from the responses. */
  readonly acknowledged: readonly Animal[]
  /** Waits until `count` more requests have succeeded, at most one minute. */
  waitForMore(count: number, kind?: RequestKind): Promise<void>
  /** Stops the clients. Returns how many requests failed, by status or error code. */
  end(): Promise<Readonly<Record<string, number>>>
}

export interface LoadOptions {
  readonly key?: string
  /** How many clients list animals, 4 by default. */
  readonly listClients?: number
  /** How many clients create animals, 8 by default. */
  readonly createClients?: number
  /** How many clients list animals over a new connection each time, 0 by default. */
  readonly unpooledClients?: number
  /** Whether each creation has an idempotency key, `false` by default. */
  readonly hasIdempotencyKeys?: boolean
}

export const isSuccess = ({ result }: LoadRequest): boolean => Number(result) < 300

export function countResults(requests: readonly LoadRequest[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { result } of requests) counts[result] = (counts[result] ?? 0) + 1
  return counts
}

/** Counts the loads in this process, so that each creates different animals. */
let loadCount = 0

/**
 * Starts clients that send one request after another. Each client pauses for 10 ms after a request, or for 1 ms if it
 * opens new connections. Requests are never retried.
 */
export function startLoad(base: string, options: LoadOptions = {}): Load {
  const {
    key = 'the-key-of-the-tests',
    listClients = 4,
    createClients = 8,
    unpooledClients = 0,
    hasIdempotencyKeys = false,
  } = options
  const seed = ++loadCount
  const agent = new Agent({ keepAlive: true })
  const requests: LoadRequest[] = []
  const sent: Creation[] = []
  const acknowledged: Animal[] = []
  let hasEnded = false
  after(() => {
    hasEnded = true // a failed test would otherwise never end
  })

  async function runClient(
    kind: RequestKind,
    sendNext: () => Promise<ReceivedResponse>,
    pauseMs: number,
  ): Promise<void> {
    while (!hasEnded) {
      const startedAt = performance.now()
      const result = await sendNext().then(
        ({ status }) => status,
        (error) => String(error.code ?? error),
      )
      requests.push({ kind, startedAt, endedAt: performance.now(), result })
      await setTimeout(pauseMs)
    }
  }

  function createSender(number: number): () => Promise<ReceivedResponse> {
    const random = createRandom(seed * 1000 + number)
    let count = 0
    return async () => {
      const name = `Animal-${seed}-${number}-${count++}`
      const creation: Creation = {
        pet: createRandomAnimal(random, name),
        ...(hasIdempotencyKeys && { idempotencyKey: name }),
      }
      sent.push(creation)
      const response = await sendCreation(base, creation, { agent, key })
      if (response.status === 201) acknowledged.push(acknowledge(creation, response))
      return response
    }
  }

  const startClients = (count: number, start: (number: number) => Promise<void>) =>
    Array.from({ length: count }, (_, number) => start(number))
  const clients = [
    ...startClients(listClients, () => runClient('list', () => send(`${base}/pets`, { key, agent }), 10)),
    ...startClients(createClients, (number) => runClient('create', createSender(number), 10)),
    ...startClients(unpooledClients, () => runClient('list', () => send(`${base}/pets`, { key }), 1)),
  ]
  return {
    requests,
    sent,
    acknowledged,
    async waitForMore(count, kind) {
      const succeeded = () =>
        requests.filter((each) => isSuccess(each) && (kind ?? each.kind) === each.kind).length
      const end = performance.now() + 60_000
      for (const goal = succeeded() + count; succeeded() < goal; await setTimeout(5))
        assert.ok(performance.now() < end, 'the server does not respond')
    },
    async end() {
      hasEnded = true
      await Promise.all(clients)
      agent.destroy()
      return countResults(requests.filter((each) => !isSuccess(each)))
    },
  }
}
