import { type Agent, type IncomingHttpHeaders, request } from 'node:http'

/** A response, with its body as text. */
export interface ReceivedResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface RequestOptions {
  readonly method?: string
  readonly key?: string
  readonly body?: string
  /** Sent too. */
  readonly headers?: Readonly<Record<string, string>>
  /** The Unix socket of the server. */
  readonly socketPath?: string
  /** Reuses connections. Without one, the request has a connection of its own, which is closed. */
  readonly agent?: Agent
}

/** Sends a request. */
export function send(url: string, options: RequestOptions = {}): Promise<ReceivedResponse> {
  const { method = 'GET', key, body, socketPath, agent = false } = options
  return new Promise((resolve, reject) => {
    const headers = {
      ...options.headers,
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    }
    const sent = request(url, { method, headers, agent, socketPath }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      )
    })
    sent.on('error', reject).end(body)
  })
}
