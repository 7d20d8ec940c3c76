import { type IncomingHttpHeaders, request } from 'node:http'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface RequestOptions {
  readonly method?: string
  readonly key?: string
  readonly body?: string
}

/** One request on a connection of its own, which leaves none open. */
export function send(url: string, { method = 'GET', key, body }: RequestOptions = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    const sent = request(url, { method, headers, agent: false }, (response) => {
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
