import * as net from 'node:net'
import * as tls from 'node:tls'
import { ByteReader } from './byte-reader.ts'
import { bareHost, type HttpProxy, ProxyRefusal, tunnelRequest } from './proxy.ts'
import { readHead } from './response-reader.ts'
import { authorities, type TlsOptions } from './tls-options.ts'

/** The way to a deployment. */
export interface Route {
  readonly url: URL
  readonly tls: TlsOptions
  readonly proxy: HttpProxy | undefined
}

/** An open connection. */
export interface Connection {
  readonly reader: ByteReader
  write(bytes: Uint8Array): void
  /** Listens, while no request is under way, for the end of the connection and for bytes that nothing asked for. */
  rest(): void
  /** Whether it can carry another request: it is open, and nothing was received since the last response. */
  isUsable(): boolean
  close(): void
}

/**
 * Opens a connection to a deployment, through its proxy if it has one. With `node:net` alone, since Deno and Bun implement
 * it as Node does, and their `node:http` does not give away its connections.
 *
 * @param signal Closes the connection, also while it is being opened.
 * @throws {ProxyRefusal} The proxy opens no tunnel.
 */
export async function openConnection(
  { url, tls: options, proxy }: Route,
  signal: AbortSignal,
): Promise<Connection> {
  const isSecure = url.protocol === 'https:'
  const origin = { host: bareHost(url.hostname), port: Number(url.port) || (isSecure ? 443 : 80) }
  const socket =
    proxy === undefined
      ? await opened(net.connect({ ...origin, noDelay: true }), 'connect', signal)
      : await throughProxy(proxy, isSecure ? `${url.hostname}:${origin.port}` : undefined, options, signal)
  return connectionOn(isSecure ? await secured(socket, origin.host, options, signal) : socket)
}

/** Opens a connection to a proxy and, if it gets an authority, a tunnel to there. */
async function throughProxy(
  proxy: HttpProxy,
  authority: string | undefined,
  options: TlsOptions,
  signal: AbortSignal,
): Promise<net.Socket> {
  try {
    const { protocol, host, port } = proxy
    const plain = await opened(net.connect({ host, port, noDelay: true }), 'connect', signal)
    const socket = protocol === 'https:' ? await secured(plain, host, options, signal) : plain
    if (authority !== undefined) await openTunnel(socket, authority, proxy)
    return socket
  } catch (error) {
    if (error instanceof ProxyRefusal) throw error
    throw new Error(`the proxy ${proxy.origin} fails`, { cause: error })
  }
}

async function openTunnel(socket: net.Socket, authority: string, proxy: HttpProxy): Promise<void> {
  const { reader, release } = receiveOn(socket)
  try {
    socket.write(tunnelRequest(authority, proxy))
    const head = await readHead(reader)
    if (head.status < 200 || head.status > 299) throw new ProxyRefusal(proxy, head, authority)
    release()
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function secured(
  socket: net.Socket,
  host: string,
  options: TlsOptions,
  signal: AbortSignal,
): Promise<net.Socket> {
  const { cert, key, rejectUnauthorized = true } = options
  const ca = authorities(options)
  const secure = tls.connect({
    socket,
    // an address is no server name (RFC 6066, section 3)
    ...(net.isIP(host) === 0 ? { servername: host } : { host }),
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized,
    ...(ca && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
  })
  return opened(secure, 'secureConnect', signal)
}

/** Resolves to a socket once it is open. */
function opened(
  socket: net.Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      socket.destroy()
      reject(error)
    }
    const closed = (): void => fail(new Error('the connection closed before it was secured'))
    if (signal.aborted) return fail(new Error('too late'))
    signal.addEventListener('abort', () => socket.destroy(), { once: true })
    socket.once('error', fail)
    socket.once('close', closed)
    socket.once(event, () => {
      socket.off('error', fail)
      socket.off('close', closed)
      // a later error is that of a read; without a listener it would end the process
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}

/** Reads what a socket receives, chunk by chunk: it is paused while nothing reads. */
function receiveOn(socket: net.Socket): {
  readonly reader: ByteReader
  readonly isQuiet: () => boolean
  readonly listen: () => void
  readonly release: () => void
} {
  const chunks: Uint8Array[] = []
  let failure: Error | undefined
  let hasEnded = false
  let wake = (): void => {}
  const onData = (chunk: Uint8Array): void => {
    chunks.push(chunk)
    socket.pause()
    wake()
  }
  const onError = (error: Error): void => {
    failure ??= error
    wake()
  }
  // Deno reports the end of a connection before the TLS alert that explains it
  const onEnd = (): void =>
    void setImmediate(() => {
      hasEnded = true
      wake()
    })
  socket.on('data', onData).on('error', onError).on('end', onEnd).on('close', onEnd)
  const reader = new ByteReader(async () => {
    for (;;) {
      const chunk = chunks.shift()
      if (chunk !== undefined) return chunk
      if (failure !== undefined) throw failure
      if (hasEnded) return undefined
      await new Promise<void>((resolve) => {
        wake = resolve
        socket.resume()
      })
    }
  })
  return {
    reader,
    isQuiet: () => !hasEnded && failure === undefined && chunks.length === 0 && !reader.hasMore,
    listen: () => void socket.resume(),
    release() {
      socket.off('data', onData).off('error', onError).off('end', onEnd).off('close', onEnd)
      socket.pause()
    },
  }
}

function connectionOn(socket: net.Socket): Connection {
  const { reader, isQuiet, listen } = receiveOn(socket)
  return {
    reader,
    write: (bytes) => void socket.write(bytes),
    rest: listen,
    isUsable: () => isQuiet() && socket.writable,
    close: () => void socket.destroy(),
  }
}
