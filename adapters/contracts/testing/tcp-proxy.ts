import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'

/** A TCP proxy that simulates network failures. */
export interface TcpProxy {
  readonly port: number
  /** The port that new connections are forwarded to. */
  target: number
  /** If `true`, the proxy accepts connections but drops all data. */
  silent: boolean
  /** Drops all data on the open connections, and does not forward when they close. Later connections work. */
  stall(): void
  /** Closes all connections, and rejects connections from then on. */
  cut(): Promise<void>
  /** Closes all connections, and forwards connections again from then on. */
  recover(): Promise<void>
}

/** Creates a proxy to a port, and closes it after the tests. */
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
    socket.on('error', () => {}) // an error is followed by the `close` event
    return socket.on('close', () => sockets.delete(socket))
  }

  async function listen(port: number): Promise<void> {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  async function cut(): Promise<void> {
    if (!server.listening) return
    const serverClose = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await serverClose
  }

  await listen(0)
  after(cut)
  const { port } = server.address() as AddressInfo // TCP servers have a port
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
