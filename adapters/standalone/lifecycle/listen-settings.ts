import { type Environment, oneOf, readWhole, type Setting, type Settings } from '../cli/settings.ts'
import { UsageError } from '../errors.ts'
import type { InheritedSocket, ListenAddress, TcpAddress } from './listen-address.ts'

/** The first descriptor that is handed over (`SD_LISTEN_FDS_START` of systemd's sd_listen_fds(3)). */
const firstDescriptor = 3

/** The longest path of a socket on every system, in bytes. */
const maxSocketPath = 103

/**
 * Reads which socket a supervisor has handed over, by the variables of systemd's sd_listen_fds(3): `LISTEN_FDS` and
 * `LISTEN_PID`. Throws `UsageError` for sockets that the server has no use for, since connections to them would wait
 * for ever.
 *
 * @param pid The id of this process.
 */
export function readInheritedSocket(env: Environment, pid: number): InheritedSocket | undefined {
  const { LISTEN_FDS: fds, LISTEN_PID: owner } = env
  if (!fds) return undefined
  if (owner !== String(pid))
    throw new UsageError(
      `LISTEN_FDS hands sockets to process ${owner || '(LISTEN_PID is not set)'}, and this is process ${pid}: let the supervisor start the server itself, not through npx, npm or a shell without exec, or remove LISTEN_FDS`,
    )
  if (fds !== '1') throw new UsageError(`LISTEN_FDS=${fds}: hand over one socket`)
  return { kind: 'inherited', fd: firstDescriptor }
}

/** Reads where the service listens: an inherited socket, `--listen`, or `--host` and `--port`. Throws `UsageError`. */
export function readListen(
  settings: Settings,
  inherited: InheritedSocket | undefined,
): ListenAddress | InheritedSocket {
  const { host, port, listen } = settings
  const other = listen ?? host ?? port
  // A socket that nobody accepts on would let its clients wait for ever, so nothing may name another place.
  if (inherited && other)
    throw new UsageError(
      `LISTEN_FDS and ${other.source} exclude each other: the supervisor that hands over the socket decides where it listens`,
    )
  if (inherited) return inherited
  const chosen = [oneOf(settings, ['listen', 'host']), oneOf(settings, ['listen', 'port'])]
  if (listen && chosen.every((name) => name === 'listen')) return readAddress(listen)
  return {
    kind: 'tcp',
    host: host?.value.replace(/^\[(.*)\]$/, '$1') ?? '127.0.0.1',
    port: port ? readPort(port) : 8080,
  }
}

/** Reads `HOST:PORT`, with an IPv6 address in brackets. Throws `UsageError`. */
export function readTcpAddress({ value, source }: Setting): TcpAddress {
  const [, bracketed, name, port = ''] = /^(?:\[([^[\]]+)\]|([^:[\]]+)):(\d+)$/.exec(value) ?? []
  const host = bracketed ?? name
  if (host === undefined)
    throw new UsageError(
      `${source} must be HOST:PORT, such as 127.0.0.1:9090 or [::1]:9090, with port 0 for any free one`,
    )
  return { kind: 'tcp', host, port: readPort({ value: port, source: `the port of ${source}` }) }
}

function readAddress(setting: Setting): ListenAddress {
  const { value, source } = setting
  if (!value.startsWith('unix:')) return readTcpAddress(setting)
  if (process.platform === 'win32')
    throw new UsageError(`${source} must be HOST:PORT: Node has no Unix sockets on Windows`)
  const path = value.slice('unix:'.length)
  if (!path.startsWith('/') || path.includes('\0') || Buffer.byteLength(path) > maxSocketPath)
    throw new UsageError(
      `${source} must name the socket by its whole path of at most ${maxSocketPath} bytes, such as unix:/run/pets/pets.sock`,
    )
  return { kind: 'unix', path }
}

function readPort(setting: Setting): number {
  return readWhole(setting, 0, 65_535, ', 0 for any free port')
}
