import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { requestHeaders } from '../load.ts'
import { scenarios } from '../scenarios.ts'

export interface Recorded {
  readonly status: number
  /** Names and values alternate. Headers that node:http adds are left out. */
  readonly headers: readonly string[]
  readonly body: string
}

const added = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** Records the response to each scenario from the origin in the program's argument. */
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
