import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** Ports that the tests of this process have received. Some tests use them only later. */
const given = new Set<number>()

/** Returns a TCP port of this machine that is free, below the range that systems use for outgoing connections. */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000)
  if (given.has(port) || !(await isFree(port))) return freePort()
  given.add(port)
  return port
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const listening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (listening) await once(server.close(), 'close')
  return listening
}

/** Resolves with whether something accepts connections on a port, by default of this machine. */
export async function accepts(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = connect(port, host)
  const accepted = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return accepted
}
