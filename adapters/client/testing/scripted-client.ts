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

/** Responds to one request. */
export type Responder = (request: Request, time: FakeTime) => Response | Promise<Response>

export interface ScriptedClient {
  readonly client: PetClient
  readonly time: FakeTime
  /** The requests that the client sent, each with its time in milliseconds. */
  readonly requests: { readonly request: Request; readonly at: number }[]
  readonly waits: RetryEvent[]
  readonly listPets: () => Promise<PetPage>
  /** Lists animals in several calls at the same time. */
  readonly listConcurrently: (count: number) => Promise<readonly PetPage[]>
  /** Returns when each request was sent. */
  readonly getRequestTimes: () => readonly number[]
}

/** Waits until pending promises have settled. */
export const settle = (): Promise<unknown> => new Promise(setImmediate)

/** Returns a predicate for a `PetApiError` with a code, and a status or message. */
export const isApiError =
  (code: string, shown: number | RegExp) =>
  (thrown: unknown): boolean =>
    thrown instanceof PetApiError &&
    thrown.code === code &&
    (typeof shown === 'number' ? thrown.status === shown : shown.test(thrown.message))

type Headers = Readonly<Record<string, string>>

export const sendJson =
  (status: number, body: string, headers: Headers = {}): Responder =>
  () =>
    new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } })

export const sendError = (status: number, headers: Headers = {}, code = 'rejected'): Responder =>
  sendJson(status, JSON.stringify({ code, message: 'Rejected.', status }), headers)

/** Fails as a broken connection does. */
export const failToFetch: Responder = () => {
  throw new TypeError('fetch failed')
}

/** Responds after a delay. */
export const respondAfter =
  (ms: number, responder: Responder): Responder =>
  async (request, time) => {
    await time.sleep(ms)
    return responder(request, time)
  }

export const neverRespond: Responder = () => new Promise(() => {})

/**
 * Creates a client whose requests are handled by responders in order. The last responder handles all further requests.
 */
export function createScriptedClient(
  responders: readonly Responder[],
  options: Partial<PetClientOptions> = {},
): ScriptedClient {
  const time = new FakeTime()
  const requests: ScriptedClient['requests'] = []
  const retryEvents: RetryEvent[] = []
  const client = createPetClient({
    baseUrl,
    apiKey,
    clock: time.clock,
    sleep: time.sleep,
    random: () => 0.5,
    onRetry: (event) => retryEvents.push(event),
    onDeprecation() {},
    async fetch(url, init) {
      const request = new Request(url, init)
      requests.push({ request, at: time.elapsed() })
      const turn = responders[Math.min(requests.length, responders.length) - 1] ?? assert.fail('no turn')
      return turn(request, time)
    },
    ...options,
  })
  const listPets = () => client.list().page()
  const listConcurrently = (count: number) => Promise.all(Array.from({ length: count }, listPets))
  return {
    client,
    time,
    requests,
    waits: retryEvents,
    listPets,
    listConcurrently,
    getRequestTimes: () => requests.map(({ at }) => at),
  }
}
