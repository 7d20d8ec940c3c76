import type { FlagName } from '../cli/flags.ts'
import { type Environment, oneOf, type Setting, type Settings } from '../cli/settings.ts'
import { UsageError } from '../errors.ts'
import type { InheritedSocket, ListenAddress, Listening, TcpAddress } from './listen-address.ts'

/** The listening sockets that a supervisor has handed to the process. */
export interface InheritedSockets {
  /** Where the service listens. */
  readonly main?: InheritedSocket
  /** Where `/metrics` is. */
  readonly metrics?: InheritedSocket
}

/** The first descriptor that is handed over (`SD_LISTEN_FDS_START` of systemd's sd_listen_fds(3)). */
const firstDescriptor = 3
/** The name of the socket for `/metrics`, where there are two. */
const metricsName = 'metrics'

/** The longest path of a socket on every system, in bytes. */
const maxSocketPath = 103

/**
 * Reads which sockets a supervisor has handed over, by the variables of systemd's sd_listen_fds(3): `LISTEN_FDS`, `LISTEN_PID`
 * and `LISTEN_FDNAMES`. Throws `UsageError` for sockets that the server has no use for, since connections to them would wait
 * for ever.
 *
 * @param pid The id of this process.
 */
export function readInheritedSockets(env: Environment, pid: number): InheritedSockets {
  const { LISTEN_FDS: fds, LISTEN_PID: owner, LISTEN_FDNAMES: fdNames } = env
  if (!fds) return {}
  if (owner !== String(pid))
    throw new UsageError(
      `LISTEN_FDS hands sockets to process ${owner || '(LISTEN_PID is not set)'}, and this is process ${pid}: let the supervisor start the server itself, not through npx, npm or a shell without exec, or remove LISTEN_FDS`,
    )
  const count = /^\d{1,6}$/.test(fds) ? Number(fds) : 0
  const names = fdNames ? fdNames.split(':') : []
  const metricsAt = count === 2 && names.length === 2 ? names.indexOf(metricsName) : -1
  if (count === 1) return { main: socketAt(0) }
  if (metricsAt >= 0 && names.lastIndexOf(metricsName) === metricsAt)
    return { main: socketAt(1 - metricsAt), metrics: socketAt(metricsAt) }
  throw new UsageError(
    `LISTEN_FDS=${fds}${fdNames ? ` with LISTEN_FDNAMES=${fdNames}` : ''}: hand over one socket, or two of which one has the name ${metricsName} (FileDescriptorName=${metricsName} in its .socket unit)`,
  )
}

function socketAt(index: number): InheritedSocket {
  return { kind: 'inherited', fd: firstDescriptor + index }
}

/** Reads where the service listens: an inherited socket, `--listen`, or `--host` and `--port`. Throws `UsageError`. */
export function readListen(settings: Settings, inherited?: InheritedSocket): Listening {
  if (inherited) return inheritedListening(inherited, settings, ['listen', 'host', 'port'])
  return readPlace(settings)
}

/** Reads where `/metrics` alone is: an inherited socket, or `--metrics-listen`. Throws `UsageError`. */
export function readMetricsListen(settings: Settings, inherited?: InheritedSocket): Listening | undefined {
  if (inherited) return inheritedListening(inherited, settings, ['metrics-listen'])
  const address = settings['metrics-listen']
  return address && readTcpAddress(address)
}

/** A socket that nobody accepts on would let its clients wait for ever, so nothing may name another place. */
function inheritedListening(
  address: InheritedSocket,
  settings: Settings,
  others: readonly FlagName[],
): Listening {
  const other = others.map((name) => settings[name]).find((setting) => setting && !setting.isDefault)
  if (other)
    throw new UsageError(
      `LISTEN_FDS and ${other.source} exclude each other: the supervisor that hands over the socket decides where it listens`,
    )
  return { address, flags: { host: 'LISTEN_FDS', port: 'LISTEN_FDS' } }
}

/** Reads `--listen`, or `--host` and `--port`, its short form. */
function readPlace(settings: Settings): Listening<ListenAddress> {
  const { host, port, listen } = settings
  const given: Settings = {
    ...(listen && { listen }),
    ...(host && !host.isDefault && { host }),
    ...(port && !port.isDefault && { port }),
  }
  const chosen = [oneOf(given, ['listen', 'host']), oneOf(given, ['listen', 'port'])]
  if (listen && chosen.every((name) => name === 'listen')) return readAddress(listen)
  return {
    address: {
      kind: 'tcp',
      host: host?.value.replace(/^\[(.*)\]$/, '$1') ?? '',
      port: readPort(port?.value ?? '', port?.source ?? '--port'),
    },
    flags: { host: '--host', port: '--port' },
  }
}

/** Reads `HOST:PORT`, with an IPv6 address in brackets. Throws `UsageError`. */
function readTcpAddress({ value, source }: Setting): Listening<TcpAddress> {
  const [, bracketed, name, port = ''] = /^(?:\[([^[\]]+)\]|([^:[\]]+)):(\d+)$/.exec(value) ?? []
  const host = bracketed ?? name
  if (host === undefined)
    throw new UsageError(
      `${source} must be HOST:PORT, such as 127.0.0.1:9090 or [::1]:9090, with port 0 for any free one`,
    )
  return {
    address: { kind: 'tcp', host, port: readPort(port, `the port of ${source}`) },
    flags: { host: source, port: source },
  }
}

function readAddress(setting: Setting): Listening<ListenAddress> {
  const { value, source } = setting
  if (!value.startsWith('unix:')) return readTcpAddress(setting)
  if (process.platform === 'win32')
    throw new UsageError(`${source} must be HOST:PORT: Node has no Unix sockets on Windows`)
  const path = value.slice('unix:'.length)
  if (!path.startsWith('/') || path.includes('\0'))
    throw new UsageError(`${source} must name the socket by its whole path, such as unix:/run/pets/pets.sock`)
  if (Buffer.byteLength(path) > maxSocketPath)
    throw new UsageError(
      `${source} must name a socket by at most ${maxSocketPath} bytes: choose a shorter path`,
    )
  return { address: { kind: 'unix', path }, flags: { host: source, port: source } }
}

function readPort(value: string, source: string): number {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65_535) {
    throw new UsageError(`${source} must be a whole number from 0 to 65535, 0 for any free port`)
  }
  return port
}
