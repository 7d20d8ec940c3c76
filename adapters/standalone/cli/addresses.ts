import { UsageError } from '../errors.ts'
import { parseWhole, type Setting } from './values.ts'

/** An address of TCP. */
export interface TcpAddress {
  readonly kind: 'tcp'
  readonly host: string
  /** The port from 0, which stands for any free one. */
  readonly port: number
  /** The flags or variables that name it, for messages. */
  readonly source: string
}

/** A Unix socket. */
export interface SocketAddress {
  readonly kind: 'unix'
  readonly path: string
  readonly source: string
}

/** The place where a server listens. */
export type ListenAddress = TcpAddress | SocketAddress

/** The maximum length of the path of a socket on every system, in bytes. */
const maxSocketPath = 103

/** Parses a host. An IPv6 address may be in brackets. */
export function parseHost({ value }: Setting): string {
  return value.replace(/^\[(.*)\]$/, '$1')
}

export const parsePort: (setting: Setting) => number = parseWhole(0, 65_535, ', 0 for any free port')

/** Parses `HOST:PORT`, with an IPv6 address in brackets. */
export function parseTcpAddress({ value, source }: Setting): TcpAddress {
  const [, bracketed, name, port = ''] = /^(?:\[([^[\]]+)\]|([^:[\]]+)):(\d+)$/.exec(value) ?? []
  const host = bracketed ?? name
  if (host === undefined)
    throw new UsageError(
      `${source} must be HOST:PORT, such as 127.0.0.1:9090 or [::1]:9090, with port 0 for any free one`,
    )
  return { kind: 'tcp', host, port: parsePort({ value: port, source: `the port of ${source}` }), source }
}

/** Parses `HOST:PORT` or `unix:PATH`. */
export function parseListenAddress(setting: Setting): ListenAddress {
  const { value, source } = setting
  if (!value.startsWith('unix:')) return parseTcpAddress(setting)
  if (process.platform === 'win32')
    throw new UsageError(`${source} must be HOST:PORT: Node has no Unix sockets on Windows`)
  const path = value.slice('unix:'.length)
  if (!path.startsWith('/') || path.includes('\0') || Buffer.byteLength(path) > maxSocketPath)
    throw new UsageError(
      `${source} must name the socket by its whole path of at most ${maxSocketPath} bytes, such as unix:/run/pets/pets.sock`,
    )
  return { kind: 'unix', path, source }
}
