import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { requestHeaders } from '../load.ts'
import { scenarios } from '../scenarios.ts'

/** A response that another server has given. */
export interface Recorded {
  readonly status: number
  /** Alternating names and values, without the headers that a server adds by itself. */
  readonly headers: readonly string[]
  readonly body: string
}

const added = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** Returns the responses to the requests of the scenarios, by method and target. The first argument is the server. */
export async function recordAll(): Promise<ReadonlyMap<string, Recorded>> {
  const [origin = ''] = process.argv.slice(2)
  const recorded = new Map<string, Recorded>()
  for (const { request } of Object.values(scenarios)) {
    const { method, target, body } = request
    recorded.set(`${method} ${target}`, await record(origin + target, method, body))
  }
  return recorded
}

async function record(url: string, method: string, body: string | undefined): Promise<Recorded> {
  const sent = request(url, { method, headers: requestHeaders, agent: false }).end(body)
  const [response]: readonly IncomingMessage[] = await once(sent, 'response')
  if (!response) throw new Error(`${url} does not respond`)
  const { statusCode: status = 0, rawHeaders } = response
  const headers = rawHeaders.filter((_, i) => !added.has((rawHeaders[i - (i % 2)] ?? '').toLowerCase()))
  return { status, headers, body: await text(response) }
}
