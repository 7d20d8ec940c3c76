import { UsageError } from '../errors.ts'
import { parseWhole, type Setting } from './values.ts'

export interface TcpAddress {
  readonly kind: 'tcp'
  readonly host: string
  /** Port number. 0 chooses a free port. */
  readonly port: number
  /** Flag or environment variable that names the address. */
  readonly source: string
}

export interface SocketAddress {
  readonly kind: 'unix'
  readonly path: string
  readonly source: string
}

/** Where the server listens. */
export type ListenAddress = TcpAddress | SocketAddress

/** Longest Unix socket path that every system supports, in bytes. */
const maxSocketPathBytes = 103

/** Removes the brackets around an IPv6 address. */
export function parseHost({ value }: Setting): string {
  return value.replace(/^\[(.*)\]$/, '$1')
}

export const parsePort: (setting: Setting) => number = parseWhole(0, 65_535, ' (0 for any free port)')

/**
 * Parses `HOST:PORT`. IPv6 addresses are written in brackets.
 *
 * @throws {UsageError} If the value is invalid.
 */
export function parseTcpAddress({ value, source }: Setting): TcpAddress {
  const [, bracketed, name, port = ''] = /^(?:\[([^[\]]+)\]|([^:[\]]+)):(\d+)$/.exec(value) ?? []
  const host = bracketed ?? name
  if (host === undefined)
    throw new UsageError(
      `${source} must be HOST:PORT, such as 127.0.0.1:9090 or [::1]:9090; port 0 chooses a free port`,
    )
  return { kind: 'tcp', host, port: parsePort({ value: port, source: `the port of ${source}` }), source }
}

/**
 * Parses `HOST:PORT` or `unix:PATH`.
 *
 * @throws {UsageError} If the value is invalid, or on Windows for a Unix socket.
 */
export function parseListenAddress(setting: Setting): ListenAddress {
  const { value, source } = setting
  if (!value.startsWith('unix:')) return parseTcpAddress(setting)
  if (process.platform === 'win32')
    throw new UsageError(`${source} must be HOST:PORT: Node does not support Unix sockets on Windows`)
  const path = value.slice('unix:'.length)
  if (!path.startsWith('/') || path.includes('\0') || Buffer.byteLength(path) > maxSocketPathBytes)
    throw new UsageError(
      `${source} must be an absolute path of at most ${maxSocketPathBytes} bytes, such as unix:/run/pets/pets.sock`,
    )
  return { kind: 'unix', path, source }
}
