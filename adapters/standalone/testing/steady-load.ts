import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { type ReceivedResponse, send } from './request.ts'

/** What a load saw. */
export interface LoadReport {
  readonly requests: number
  /** What went wrong, by its code or status, and how often. */
  readonly failures: Readonly<Record<string, number>>
}

/** A load that runs until `end` is called. */
export interface SteadyLoad {
  /** How many requests have had a response. */
  readonly requests: number
  /** Resolves when `count` more requests have had a response. */
  more(count: number): Promise<void>
  end(): Promise<LoadReport>
}

/** How many clients of each kind there are. */
export interface Clients {
  /** Each opens a connection for each list of animals. */
  readonly fresh: number
  /** Each lists the animals on an open connection. */
  readonly kept: number
  /** Each adds animals on an open connection. */
  readonly creating?: number
}

/** Sends requests from clients, each one request after the other. No request is sent again. */
export function startLoad(
  url: string,
  { key, fresh, kept, creating = 0 }: Clients & { readonly key: string },
): SteadyLoad {
  const agent = new Agent({ keepAlive: true })
  const failures: Record<string, number> = {}
  let [requests, ended] = [0, false]

  const list = () => send(url, { key })
  const listOnOpen = () => send(url, { key, agent })
  const create = () => send(url, { key, agent, method: 'POST', body: '{"name":"Rex","categoryId":1}' })

  async function client(ask: () => Promise<ReceivedResponse>): Promise<void> {
    while (!ended) {
      const problem = await ask().then(
        ({ status }) => (status < 300 ? undefined : String(status)),
        (cause: NodeJS.ErrnoException) => cause.code ?? cause.message,
      )
      requests++
      if (problem !== undefined) failures[problem] = (failures[problem] ?? 0) + 1
      await setTimeout(ask === list ? 1 : 5)
    }
  }

  const kinds = [list, listOnOpen, create]
  const clients = [fresh, kept, creating].flatMap((count, i) =>
    Array.from({ length: count }, () => client(kinds[i] ?? list)),
  )
  return {
    get requests() {
      return requests
    },
    async more(count) {
      for (const goal = requests + count; requests < goal; ) await setTimeout(5)
    },
    async end() {
      ended = true
      await Promise.all(clients)
      agent.destroy()
      return { requests, failures }
    },
  }
}
