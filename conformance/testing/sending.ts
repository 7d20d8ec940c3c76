import { createNodeTransport } from '../network/node-transport.ts'
import { createDeadline } from '../network/read-body.ts'
import type { Received, Transport, WireRequest } from '../network/transport.ts'

/** Sends requests over a transport, as a test needs them. */
export interface Sending {
  readonly get: (more?: Partial<WireRequest>) => Promise<Received>
  readonly transport: Transport
}

/** Returns a transport to an address. */
export function sendingTo(
  url: string,
  route: Partial<Parameters<typeof createNodeTransport>[0]> = {},
): Sending {
  const transport = createNodeTransport({ url: new URL(url), tls: {}, proxy: undefined, ...route })
  return {
    transport,
    async get(more = {}) {
      const deadline = more.deadline ?? createDeadline(20_000)
      const received = await transport.send({
        method: 'GET',
        url: new URL(url),
        headers: [['accept', 'application/json']],
        body: undefined,
        isFresh: false,
        most: 1024,
        ...more,
        deadline,
      })
      deadline.clear()
      return received
    },
  }
}

/** Returns the body of a response as text, or the message of the error. */
export function readText(received: Received): string {
  if (received.kind === 'response') return new TextDecoder().decode(received.body.bytes)
  return received.error instanceof Error ? received.error.message : String(received.error)
}
