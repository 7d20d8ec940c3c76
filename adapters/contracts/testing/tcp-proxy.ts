import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

/** Forwards TCP between a client and a server, and fails as networks do. */
export interface TcpProxy {
  readonly port: number
  /** Breaks all connections and rejects new ones. */
  cut(): Promise<void>
  /** Accepts connections and reads from them, and forwards nothing more. */
  silence(): void
  /** Breaks the silent connections, and forwards again. */
  recover(): Promise<void>
  /** Forwards again. What came meanwhile is lost, as are the connections that were opened. */
  speak(): void
  /** Forwards new connections to another port. Those that there are stay. */
  lead(port: number): void
}

/** Listens on a free port, and forwards to another. It is closed when the test file is done. */
export async function createTcpProxy(firstTarget: number): Promise<TcpProxy> {
  let target = firstTarget
  const sockets = new Set<Socket>()
  let silent = false
  let port = 0

  const server = createServer((inbound) => {
    track(inbound)
    if (silent) return
    const outbound = track(connect(target, '127.0.0.1'))
    inbound.on('data', (bytes) => silent || outbound.write(bytes))
    outbound.on('data', (bytes) => silent || inbound.write(bytes))
    inbound.on('close', () => outbound.destroy())
    outbound.on('close', () => silent || inbound.destroy())
  })

  function track(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('error', () => {}) // the event close follows
    return socket.on('close', () => sockets.delete(socket))
  }

  function breakAll(): void {
    for (const socket of sockets) socket.destroy()
  }

  async function listen(): Promise<void> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    // The address of a TCP server is no string.
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
    speak() {
      silent = false
    },
    lead(port) {
      target = port
    },
    async recover() {
      silent = false
      breakAll()
      if (!server.listening) await listen()
    },
  }
}
