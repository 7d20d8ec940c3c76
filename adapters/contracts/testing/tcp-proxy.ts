import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

/** Stands between a client and a server, and fails as networks do. */
export interface TcpProxy {
  readonly port: number
  /** Breaks all connections and refuses new ones. */
  cut(): Promise<void>
  /** Takes connections and what comes over them, and answers nothing more. */
  silence(): void
  /** Breaks what was silent, and passes everything on again. */
  heal(): Promise<void>
}

export async function createTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let silent = false
  let port = 0

  const server = createServer((inbound) => {
    keep(inbound)
    if (silent) return
    const outbound = keep(connect(target, '127.0.0.1'))
    inbound.on('data', (bytes) => silent || outbound.write(bytes))
    outbound.on('data', (bytes) => silent || inbound.write(bytes))
    inbound.on('close', () => outbound.destroy())
    outbound.on('close', () => silent || inbound.destroy())
  })

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('error', () => {}) // its close is what counts
    return socket.on('close', () => sockets.delete(socket))
  }

  function breakAll(): void {
    for (const socket of sockets) socket.destroy()
  }

  async function listen(): Promise<void> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    // An address of TCP is no string.
    port = (server.address() as AddressInfo).port
  }

  async function cut(): Promise<void> {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    breakAll()
    await closed
  }

  await listen()
  after(cut)
  return {
    port,
    cut,
    silence() {
      silent = true
    },
    async heal() {
      silent = false
      breakAll()
      if (!server.listening) await listen()
    },
  }
}
