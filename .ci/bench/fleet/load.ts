import { connect, type Socket } from 'node:net'
import type { FleetRequest } from './operations.ts'

/** A request with its key. */
export interface KeyedRequest extends FleetRequest {
  readonly key: string
}

export interface FleetLoad {
  /** The servers, which have the same number of connections each. */
  readonly ports: readonly number[]
  /** How many requests are sent in all. */
  readonly requests: number
  /** How many connections there are in all. */
  readonly connections: number
  request(number: number): KeyedRequest
}

/**
 * Sends a fixed number of requests, one after the other on each connection. Returns the bytes that were received.
 *
 * @throws Error if a response is not a success, or a connection fails.
 */
export async function sendAll({ ports, requests, connections, request }: FleetLoad): Promise<number> {
  let next = 0
  let received = 0
  const sockets: Socket[] = []

  function converse(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      /** The bytes of the response still to be received; undefined before the head. */
      let left: number | undefined
      let head = ''

      function send(): void {
        if (next >= requests) resolve()
        else socket.write(textOf(request(next++), port))
      }

      function read(chunk: Buffer): void {
        received += chunk.length
        if (left === undefined) {
          head += chunk.toString('latin1')
          const end = head.indexOf('\r\n\r\n')
          if (end < 0) return
          const [, status, length] =
            /^HTTP\/1\.1 (\d+) .*\r\ncontent-length: (\d+)/is.exec(head.slice(0, end)) ?? []
          if (!status?.startsWith('2')) reject(new Error(`a request failed: ${head}`))
          left = end + 4 + Number(length) - head.length
        } else left -= chunk.length
        if (left > 0) return
        left = undefined
        head = ''
        send()
      }

      const socket = connect(port, '127.0.0.1', send)
      socket.setNoDelay().on('data', read).on('error', reject)
      socket.on('close', () => reject(new Error('a server has closed a connection')))
      sockets.push(socket)
    })
  }

  try {
    const portOf = (number: number) => ports[number % ports.length] ?? 0
    await Promise.all(Array.from({ length: connections }, (_, number) => converse(portOf(number))))
    return received
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

function textOf({ method, target, headers = {}, body, key }: KeyedRequest, port: number): string {
  const fields = {
    Host: `127.0.0.1:${port}`,
    Authorization: `Bearer ${key}`,
    ...headers,
    ...(body !== undefined && {
      'Content-Type': 'application/json',
      'Content-Length': `${Buffer.byteLength(body)}`,
    }),
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}
