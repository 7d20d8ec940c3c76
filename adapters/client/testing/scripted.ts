import assert from 'node:assert/strict'
import { createPetClient, type PetClient, type PetClientOptions, type RetryEvent } from '../../client.ts'
import { createFakeTime, type FakeTime } from './fake-time.ts'

export const apiKey = 'my-first-long-api-key'
export const baseUrl = 'https://pets.example/v1'
export const rex = '{"id":1,"name":"Rex","categoryId":7}'

/** What a deployment does with a request: a response, or none. */
export type Turn = (request: Request, time: FakeTime) => Response | Promise<Response>

export interface Scripted {
  readonly client: PetClient
  readonly time: FakeTime
  /** The requests so far, and when they came, in milliseconds. */
  readonly requests: { readonly request: Request; readonly at: number }[]
  readonly waits: RetryEvent[]
}

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

/** A client of a deployment that does one thing after the other, and the last one from then on. It waits for exactly what it is told. */
export function scripted(turns: readonly Turn[], options: Partial<PetClientOptions> = {}): Scripted {
  const time = createFakeTime()
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
  return { client, time, requests, waits }
}
