import { Agent } from 'node:http'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { animalsOf } from './animals.ts'
import { send } from './request.ts'

export type Kind = 'list' | 'create'

/** A request, and what came of it. Times are those of `performance.now()`. */
export interface Exchange {
  readonly kind: Kind
  readonly startedAt: number
  readonly endedAt: number
  /** The status, or the code of the error of a request that has no response. */
  readonly result: number | string
  /** The `Retry-After` of the response in seconds, or 0. */
  readonly retryAfter: number
}

/** Clients that list and create animals, each one request after the other, whatever comes of them. */
export interface Load {
  readonly exchanges: readonly Exchange[]
  /** The ids of all responses of 201. */
  readonly created: readonly string[]
  /** Resolves with the moment at which a request of a kind has succeeded that ended after another moment. */
  success(kind: Kind, after: number): Promise<number>
  /** Resolves when `count` more requests have ended. */
  more(count: number): Promise<void>
  /** Ends the clients. Resolves with how often each result came that is no success. */
  end(): Promise<Readonly<Record<string, number>>>
}

export interface LoadOptions {
  readonly key?: string
  /** How many clients list animals; 4 by default. */
  readonly lists?: number
  /** How many clients create animals; 8 by default. */
  readonly creates?: number
  /** How many more clients list animals, with a connection for each request; none by default. */
  readonly fresh?: number
}

/**
 * Starts the clients, each on a connection of its own, with a pause of 10 ms after each request; those of `fresh` on a new
 * connection for each request, with a pause of 1 ms. No request is sent again.
 */
export function startLoad(base: string, options: LoadOptions = {}): Load {
  const { key = 'the-key-of-the-tests', lists = 4, creates = 8, fresh = 0 } = options
  const agent = new Agent({ keepAlive: true })
  const exchanges: Exchange[] = []
  const created: string[] = []
  let hasEnded = false
  after(() => {
    hasEnded = true // also of a test that has failed, which would never end otherwise
  })

  async function request(kind: Kind, isFresh: boolean): Promise<Pick<Exchange, 'result' | 'retryAfter'>> {
    const more = kind === 'create' ? { method: 'POST', body: '{"name":"Rex","categoryId":1}' } : {}
    try {
      const { status, headers, body } = await send(`${base}/pets`, {
        key,
        ...(!isFresh && { agent }),
        ...more,
      })
      if (status === 201) created.push(animalsOf(`[${body}]`)[0]?.id ?? '')
      return { result: status, retryAfter: Number(headers['retry-after'] ?? 0) }
    } catch (error) {
      const result = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      return { result, retryAfter: 0 }
    }
  }

  async function client(kind: Kind, isFresh = false): Promise<void> {
    while (!hasEnded) {
      const startedAt = performance.now()
      const came = await request(kind, isFresh)
      exchanges.push({ kind, startedAt, endedAt: performance.now(), ...came })
      await setTimeout(isFresh ? 1 : 10)
    }
  }

  const isSuccess = ({ result }: Exchange) => Number(result) < 300
  const clients = [
    ...Array.from({ length: lists }, () => client('list')),
    ...Array.from({ length: creates }, () => client('create')),
    ...Array.from({ length: fresh }, () => client('list', true)),
  ]
  return {
    exchanges,
    created,
    async success(kind, after) {
      for (;;) {
        const found = exchanges.find((each) => each.kind === kind && each.endedAt > after && isSuccess(each))
        if (found) return found.endedAt
        await setTimeout(5)
      }
    },
    async more(count) {
      for (const goal = exchanges.length + count; exchanges.length < goal; ) await setTimeout(5)
    },
    async end() {
      hasEnded = true
      await Promise.all(clients)
      agent.destroy()
      const failures: Record<string, number> = {}
      for (const each of exchanges)
        if (!isSuccess(each)) failures[each.result] = (failures[each.result] ?? 0) + 1
      return failures
    },
  }
}
