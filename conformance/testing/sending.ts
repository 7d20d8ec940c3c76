import { createNodeTransport } from '../network/node-transport.ts'
import { createDeadline } from '../network/read-body.ts'
import type { Transport, TransportResult, WireRequest } from '../network/transport.ts'

export interface TestSender {
  readonly get: (more?: Partial<WireRequest>) => Promise<TransportResult>
  readonly transport: Transport
}

/** Creates a transport that sends requests to one URL. */
export function createTestSender(
  url: string,
  route: Partial<Parameters<typeof createNodeTransport>[0]> = {},
): TestSender {
  const transport = createNodeTransport({ url: new URL(url), tls: {}, proxy: undefined, ...route })
  return {
    transport,
    async get(more = {}) {
      const requestDeadline = more.deadline ?? createDeadline(20_000)
      const transportResult = await transport.send({
        method: 'GET',
        url: new URL(url),
        headers: [['accept', 'application/json']],
        body: undefined,
        opensConnection: false,
        maxBytes: 1024,
        ...more,
        deadline: requestDeadline,
      })
      requestDeadline.clear()
      return transportResult
    },
  }
}

/** Returns the response body as text, or the error message. */
export function readText(received: TransportResult): string {
  if (received.kind === 'response') return new TextDecoder().decode(received.body.bytes)
  return received.error instanceof Error ? received.error.message : String(received.error)
}
