import { type Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface ReceivedResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface RequestOptions {
  readonly method?: string
  readonly key?: string
  readonly body?: string
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Path to a Unix socket. */
  readonly socketPath?: string
  /** Reuses connections. Without an agent, each request opens a connection and closes it. */
  readonly agent?: Agent
}

/** Sends a request and waits for the complete response. */
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
