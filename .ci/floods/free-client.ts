import type { Agent } from 'node:http'
import { get } from './exchange.ts'
import type { Target } from './target.ts'

/** The requests per minute of the plan `free`, and how many more the client sends. */
const limit = 60
const surplus = 25

/** In how many seconds the client sends them, and after how many it stops: all must be in one minute. */
const sending = 45
const last = 55

export interface FreeClient {
  /** How often it sends a request, in milliseconds. */
  readonly everyMs: number
  /** Sends a request. Resolves with the problem of the response. Sends none once all are sent or the minute ends. */
  send(): Promise<string | undefined>
}

/** A client that exceeds its plan in a minute. The first 60 requests must be served, the others rejected with 429. */
export function createFreeClient({ port, keys, seconds }: Target, agent: Agent | undefined): FreeClient {
  const started = performance.now()
  let sent = 0
  return {
    everyMs: (Math.min(seconds, sending) * 1_000) / (limit + surplus),
    async send() {
      if (sent === limit + surplus || performance.now() > started + last * 1_000) return undefined
      const number = ++sent
      const { status, headers } = await get(port, '/v1/pets?limit=1', keys.free, agent)
      if (number <= limit) return status === 200 ? undefined : `status ${status} to request ${number}`
      if (status !== 429) return `status ${status} to request ${number} of a minute`
      return headers['retry-after'] === undefined ? 'a 429 without Retry-After' : undefined
    },
  }
}
