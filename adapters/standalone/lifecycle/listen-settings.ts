import type { ListenAddress } from '../cli/addresses.ts'
import type { Environment } from '../cli/process-context.ts'
import { chooseOne, type Settings } from '../cli/settings.ts'
import { UsageError } from '../errors.ts'
import type { InheritedSocket } from './listen-address.ts'

/** First file descriptor that systemd passes (`SD_LISTEN_FDS_START` in sd_listen_fds(3)). */
const firstInheritedDescriptor = 3

/**
 * Reads `LISTEN_FDS` and `LISTEN_PID`, which systemd's sd_listen_fds(3) describes. Returns `undefined` if no socket
 * was passed.
 *
 * @throws {UsageError} If sockets were passed to another process, or there are several: nothing would accept their
 * connections.
 */
export function readInheritedSocket(env: Environment, pid: number): InheritedSocket | undefined {
  const { LISTEN_FDS: fds, LISTEN_PID: owner } = env
  if (!fds) return undefined
  if (owner !== String(pid))
    throw new UsageError(
      `LISTEN_FDS passes sockets to process ${owner || '(LISTEN_PID is not set)'}, but this is process ${pid}: start the server directly, not with npx, npm or a shell without exec, or unset LISTEN_FDS`,
    )
  if (fds !== '1') throw new UsageError(`LISTEN_FDS=${fds}: pass exactly one socket`)
  return { kind: 'inherited', fd: firstInheritedDescriptor }
}

export type ListenSettings = Pick<Settings, 'host' | 'port' | 'listen'>

/**
 * Reads where to listen: on an inherited socket, at `--listen`, or at `--host` and `--port` (127.0.0.1:8080 by
 * default).
 *
 * @throws {UsageError} If settings contradict each other.
 */
export function readListen(
  settings: ListenSettings,
  inherited: InheritedSocket | undefined,
): ListenAddress | InheritedSocket {
  const { host, port, listen } = settings
  const other = listen ?? host ?? port
  // A client would wait forever on a socket without a server, so environment variables count as a contradiction too.
  if (inherited && other)
    throw new UsageError(
      `LISTEN_FDS and ${other.source} cannot be used together: the supervisor's socket determines where the server listens`,
    )
  if (inherited) return inherited
  const chosen = [chooseOne(settings, ['listen', 'host']), chooseOne(settings, ['listen', 'port'])]
  if (listen && chosen.every((name) => name === 'listen')) return listen.value
  const sources = [host, port].flatMap((setting) => (setting ? [setting.source] : []))
  return {
    kind: 'tcp',
    host: host?.value ?? '127.0.0.1',
    port: port?.value ?? 8080,
    source: sources.join(' and ') || '--host and --port',
  }
}
