import type { ListenAddress } from '../cli/addresses.ts'
import { type Environment, oneOf, type Settings } from '../cli/settings.ts'
import { UsageError } from '../errors.ts'
import type { InheritedSocket } from './listen-address.ts'

/** The first descriptor that is handed over (`SD_LISTEN_FDS_START` of systemd's sd_listen_fds(3)). */
const firstDescriptor = 3

/**
 * Reads which socket a supervisor has handed over, by the variables of systemd's sd_listen_fds(3): `LISTEN_FDS` and
 * `LISTEN_PID`. Throws `UsageError` if there are other sockets: nobody would accept their connections.
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

export type ListenSettings = Pick<Settings, 'host' | 'port' | 'listen'>

/** Reads where the service listens: an inherited socket, `--listen`, or `--host` and `--port`. Throws `UsageError`. */
export function readListen(
  settings: ListenSettings,
  inherited: InheritedSocket | undefined,
): ListenAddress | InheritedSocket {
  const { host, port, listen } = settings
  const other = listen ?? host ?? port
  // Clients of a socket that nobody accepts on would wait forever, so nothing may name another place.
  if (inherited && other)
    throw new UsageError(
      `LISTEN_FDS and ${other.source} cannot be used together: the supervisor that hands over the socket decides where it listens`,
    )
  if (inherited) return inherited
  const chosen = [oneOf(settings, ['listen', 'host']), oneOf(settings, ['listen', 'port'])]
  if (listen && chosen.every((name) => name === 'listen')) return listen.value
  const sources = [host, port].flatMap((setting) => (setting ? [setting.source] : []))
  return {
    kind: 'tcp',
    host: host?.value ?? '127.0.0.1',
    port: port?.value ?? 8080,
    source: sources.join(' and ') || '--host and --port',
  }
}
