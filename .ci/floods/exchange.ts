import { type Agent, type IncomingHttpHeaders, request } from 'node:http'

/** A response whose body has been read. */
export interface Exchange {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** How long a well-behaved client waits for a response, in milliseconds. */
const patienceMs = 10_000

/** Sends a GET as a well-behaved client does, on a new connection or on one of an agent. Rejects where no response arrives. */
export function get(
  port: number,
  path: string,
  key?: string,
  agent: Agent | false = false,
): Promise<Exchange> {
  const headers = key === undefined ? {} : { Authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      response.on('error', reject).on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers })
      })
      response.resume()
    })
    const timer = setTimeout(() => sent.destroy(new Error(`no response in ${patienceMs} ms`)), patienceMs)
    sent.on('close', () => clearTimeout(timer)).on('error', reject)
    sent.end()
  })
}
