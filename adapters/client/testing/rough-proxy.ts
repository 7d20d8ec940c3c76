import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Random } from '../../contracts/random.ts'

/**
 * A proxy that fails as networks do: it delays all bytes, cuts one in twenty connections with each piece of a request
 * or of a response, and sends one in twenty requests to the server once more.
 */
export function createRoughProxy(target: number, random: Random): Server {
  const happens = () => random.whole(1, 20) === 1
  return createServer((inbound) => {
    const sent: Buffer[] = []
    const outbound = open(target)
    forward(inbound, outbound, (bytes) => {
      sent.push(bytes)
      if (happens()) repeat(sent)
    })
    forward(outbound, inbound, () => {})
  })

  function forward(from: Socket, to: Socket, note: (bytes: Buffer) => void): void {
    from.on('error', () => {}) // the event close follows
    from.on('close', () => to.destroy())
    from.on('data', (bytes) => {
      note(bytes)
      const isCut = happens()
      setTimeout(() => (isCut ? from.destroy() : to.write(bytes)), random.whole(0, 5))
    })
  }

  function repeat(requests: readonly Buffer[]): void {
    const again = open(target)
    again.on('error', () => {})
    again.resume().end(Buffer.concat(requests))
  }

  function open(port: number): Socket {
    return connect(port, '127.0.0.1')
  }
}
