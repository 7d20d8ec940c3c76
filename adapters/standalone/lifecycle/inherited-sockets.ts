import type { Environment } from '../cli/settings.ts'
import { UsageError } from '../errors.ts'
import type { InheritedSocket } from './listen-address.ts'

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
