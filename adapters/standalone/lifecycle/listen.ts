import { lstatSync, unlinkSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { ListenAddress } from '../cli/addresses.ts'
import { StartError, toPermissionError } from '../errors.ts'
import type { InheritedSocket } from './listen-address.ts'

/** Unix socket mode. Its owner and group, for example a proxy's, may connect. */
const socketMode = 0o660

/** Explanations and advice for system error codes. */
const errorAdvice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use: stop the process that uses it, or choose another port (0 for any free port)',
  EACCES: 'permission denied: choose a port from 1024',
  EADDRNOTAVAIL: 'not an address of this machine: use 127.0.0.1, or 0.0.0.0 for all addresses',
  ENOTFOUND: 'unknown host: use an address such as 127.0.0.1',
}

/**
 * Starts listening and resolves with the actual address and port. A Unix socket that a dead process left behind is
 * replaced.
 *
 * @throws {StartError} If the server cannot listen.
 */
export async function listen(
  server: Server,
  address: ListenAddress | InheritedSocket,
): Promise<ListenAddress> {
  // Bun ignores the descriptor and listens on any free port.
  if (address.kind === 'inherited' && process.versions.bun !== undefined)
    throw new StartError('Bun cannot listen on a socket from LISTEN_FDS: run the server with Node or Deno')
  try {
    if (address.kind === 'unix') await removeStaleSocket(address.path)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      // The system creates the socket during this call. A mode that is set later would let others connect before.
      const umask = address.kind === 'unix' ? setUmask(0o777 & ~socketMode) : undefined
      server.listen(address, resolve) // the address has `fd`, `path`, or `host` and `port`
      if (umask !== undefined) setUmask(umask)
    })
  } catch (cause) {
    throw (
      toPermissionError(cause) ??
      new StartError(describeProblem(cause as NodeJS.ErrnoException, address), { cause })
    ) // system errors have a code
  }
  return readActualAddress(server, address)
}

/**
 * Sets the umask and returns the previous one, or `undefined` if the runtime does not allow it (Deno without
 * permission).
 */
function setUmask(umask: number): number | undefined {
  try {
    return process.umask(umask)
  } catch {
    return undefined
  }
}

function describeProblem(
  { code = '', message }: NodeJS.ErrnoException,
  address: ListenAddress | InheritedSocket,
): string {
  if (address.kind === 'inherited')
    return `cannot listen on descriptor ${address.fd} from LISTEN_FDS: ${message}: it must be a listening stream socket (Accept=no in a .socket unit)`
  if (address.kind === 'tcp')
    return `${address.source}: cannot listen on port ${address.port} of ${address.host}: ${errorAdvice[code] ?? message}`
  return code === 'EADDRINUSE'
    ? `${address.source}: ${address.path} exists: stop the process that listens on it, or choose another path`
    : `${address.source}: cannot listen on the socket ${address.path}: ${message}: its folder must exist and be writable`
}

/** Returns the address that a server listens on, even for an inherited socket. */
function readActualAddress(server: Server, address: ListenAddress | InheritedSocket): ListenAddress {
  if (address.kind === 'unix') return address
  const actual = server.address() as AddressInfo | null // Node does not know the path of an inherited Unix socket
  if (actual === null) return { kind: 'unix', path: '(inherited)', source: 'LISTEN_FDS' }
  return address.kind === 'tcp'
    ? { ...address, port: actual.port }
    : { kind: 'tcp', host: actual.address, port: actual.port, source: 'LISTEN_FDS' }
}

/**
 * Removes a Unix socket if connecting fails with `ECONNREFUSED`, because its process is dead. Any other file is kept,
 * and listening fails.
 */
async function removeStaleSocket(path: string): Promise<void> {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return
  const refused = await new Promise<boolean>((resolve) => {
    const socket = connect(path, () => resolve(false))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED'))
    socket.on('connect', () => socket.destroy())
  })
  if (refused) unlinkSync(path)
}
