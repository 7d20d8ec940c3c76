import { request } from 'node:http'
import { requestHeaders } from '../load.ts'
import { scenarios } from '../scenarios.ts'

/** A response that another server has given. */
export interface Recorded {
  readonly status: number
  /** Alternating names and values, without those that a server adds by itself. */
  readonly headers: readonly string[]
  readonly body: string
}

const added = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])

/** Returns the responses to the requests of the scenarios, by method and target. The first argument is the server. */
export async function recordAll(): Promise<ReadonlyMap<string, Recorded>> {
  const [origin = ''] = process.argv.slice(2)
  const recorded = new Map<string, Recorded>()
  for (const {
    request: { method, target, body },
  } of Object.values(scenarios))
    recorded.set(`${method} ${target}`, await record(origin + target, method, body))
  return recorded
}

function record(url: string, method: string, body: string | undefined): Promise<Recorded> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers: requestHeaders, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const { statusCode: status = 0, rawHeaders } = response
          const headers = rawHeaders.filter(
            (_, i) => !added.has((rawHeaders[i - (i % 2)] ?? '').toLowerCase()),
          )
          resolve({ status, headers, body: Buffer.concat(chunks).toString() })
        })
    })
      .on('error', reject)
      .end(body)
  })
}
