import assert from 'node:assert/strict'
import {
  createPetClient,
  PetApiError,
  type PetClient,
  type PetClientOptions,
  type PetPage,
  type RetryEvent,
} from '../index.ts'
import { FakeTime } from './fake-time.ts'

export const apiKey = 'my-first-long-api-key'
export const baseUrl = 'https://pets.example/v1'
export const rex = '{"id":1,"name":"Rex","categoryId":7}'
export const newRex = { name: 'Rex', categoryId: 7 }

/** Responds to a request as a deployment, or never. */
export type Turn = (request: Request, time: FakeTime) => Response | Promise<Response>

export interface Scripted {
  readonly client: PetClient
  readonly time: FakeTime
  /** The requests so far, and when they came, in milliseconds. */
  readonly requests: { readonly request: Request; readonly at: number }[]
  readonly waits: RetryEvent[]
  /** Requests a page. */
  readonly list: () => Promise<PetPage>
  /** Requests a number of pages at the same time. */
  readonly lists: (count: number) => Promise<readonly PetPage[]>
  /** The times of the requests, in milliseconds. */
  readonly times: () => readonly number[]
}

/** Resolves once the responses so far have been read. */
export const settled = (): Promise<unknown> => new Promise(setImmediate)

/** Returns whether a value is a `PetApiError` with this code, and this status or message. */
export const isError =
  (code: string, shown: number | RegExp) =>
  (thrown: unknown): boolean =>
    thrown instanceof PetApiError &&
    thrown.code === code &&
    (typeof shown === 'number' ? thrown.status === shown : shown.test(thrown.message))

type Headers = Readonly<Record<string, string>>

/** Returns a response whose body is JSON. */
export const json =
  (status: number, body: string, headers: Headers = {}): Turn =>
  () =>
    new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } })

/** Returns an Error. */
export const error = (status: number, headers: Headers = {}, code = 'rejected'): Turn =>
  json(status, JSON.stringify({ code, message: 'Rejected.', status }), headers)

/** Loses the connection. */
export const cut: Turn = () => {
  throw new TypeError('fetch failed')
}

/** Takes a turn after a number of milliseconds. */
export const after =
  (ms: number, turn: Turn): Turn =>
  async (request, time) => {
    await time.sleep(ms)
    return turn(request, time)
  }

/** Never responds. */
export const hangs: Turn = () => new Promise(() => {})

/** Creates a client of a deployment that takes the turns in order and repeats the last. Its clock is exact to the ms. */
export function scripted(turns: readonly Turn[], options: Partial<PetClientOptions> = {}): Scripted {
  const time = new FakeTime()
  const requests: Scripted['requests'] = []
  const waits: RetryEvent[] = []
  const client = createPetClient({
    baseUrl,
    apiKey,
    clock: time.clock,
    sleep: time.sleep,
    random: () => 0.5,
    onRetry: (event) => waits.push(event),
    onDeprecation() {},
    async fetch(request) {
      requests.push({ request, at: time.elapsed() })
      const turn = turns[Math.min(requests.length, turns.length) - 1] ?? assert.fail('no turn')
      return turn(request, time)
    },
    ...options,
  })
  const list = () => client.list().page()
  const lists = (count: number) => Promise.all(Array.from({ length: count }, list))
  return { client, time, requests, waits, list, lists, times: () => requests.map(({ at }) => at) }
}
