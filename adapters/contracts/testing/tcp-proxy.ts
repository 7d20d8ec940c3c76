import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

/** Forwards TCP between a client and a server, and fails as networks do. */
export interface TcpProxy {
  readonly port: number
  /** The port that new connections are forwarded to. Open connections are not affected. */
  target: number
  /**
   * While it is true, it accepts connections and reads from them, and forwards nothing more. The data and the
   * connections of that time are lost.
   */
  silent: boolean
  /**
   * Forwards nothing more on the connections that are open, not even their end, as a network does that drops packets.
   * New connections work.
   */
  stall(): void
  /** Breaks all connections and rejects new ones. */
  cut(): Promise<void>
  /** Breaks all connections, and forwards again. */
  recover(): Promise<void>
}

/** Listens on a free port, and forwards to another. It is closed when the test file is done. */
export async function createTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let stalled = new Set<Socket>()
  const server = createServer((inbound) => {
    track(inbound)
    if (proxy.silent) return
    const outbound = track(connect(proxy.target, '127.0.0.1'))
    const isStalled = () => stalled.has(inbound)
    const isSilent = () => proxy.silent || isStalled()
    inbound.on('data', (bytes) => isSilent() || outbound.write(bytes))
    outbound.on('data', (bytes) => isSilent() || inbound.write(bytes))
    inbound.on('close', () => isStalled() || outbound.destroy())
    outbound.on('close', () => isSilent() || inbound.destroy())
  })

  function track(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('error', () => {}) // the event close follows
    return socket.on('close', () => sockets.delete(socket))
  }

  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  async function cut(): Promise<void> {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }

  await listen(0)
  after(cut)
  const { port } = server.address() as AddressInfo // a TCP server has no path
  const proxy: TcpProxy = {
    port,
    target,
    silent: false,
    stall() {
      stalled = new Set(sockets)
    },
    cut,
    async recover() {
      proxy.silent = false
      for (const socket of sockets) socket.destroy()
      if (!server.listening) await listen(port)
    },
  }
  return proxy
}
