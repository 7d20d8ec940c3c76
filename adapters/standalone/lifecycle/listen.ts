import { lstatSync, unlinkSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { ListenAddress } from '../cli/addresses.ts'
import { StartError } from '../errors.ts'
import type { InheritedSocket } from './listen-address.ts'

/** The mode of a Unix socket: its owner and its group may connect, such as a proxy of that group. */
const socketMode = 0o660

/** Meanings of the system's error codes for a port, and advice. */
const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use: stop what uses it, or choose another port (0 for any free one)',
  EACCES: 'no permission: choose a port from 1024 on',
  EADDRNOTAVAIL: 'not an address of this machine: choose one, such as 127.0.0.1, or 0.0.0.0 for all',
  ENOTFOUND: 'there is no such host: choose another, such as 127.0.0.1',
}

/**
 * Starts to listen. A Unix socket that a dead process has left is replaced. Resolves with the address, and its actual
 * port; rejects with `StartError`.
 */
export async function listen(
  server: Server,
  address: ListenAddress | InheritedSocket,
): Promise<ListenAddress> {
  // Bun ignores the descriptor, and listens on any free port.
  if (address.kind === 'inherited' && process.versions.bun !== undefined)
    throw new StartError('Bun does not listen on the sockets of LISTEN_FDS: run the server with Node or Deno')
  try {
    if (address.kind === 'unix') await removeStaleSocket(address.path)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      // The system creates the socket during the call, and nobody else may connect before its mode is set.
      const umask = address.kind === 'unix' ? setUmask(0o777 & ~socketMode) : undefined
      server.listen(address, resolve) // by its `fd`, `path` or `port`
      if (umask !== undefined) setUmask(umask)
    })
  } catch (cause) {
    throw new StartError(describeProblem(cause as NodeJS.ErrnoException, address), { cause }) // those of the system have a code
  }
  return readAddress(server, address)
}

/** Returns the umask before; undefined if the runtime lets nobody set it, as in Deno without a permission. */
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
    return `cannot listen on descriptor ${address.fd} of LISTEN_FDS: ${message}: it must be a listening stream socket (Accept=no in a .socket unit)`
  if (address.kind === 'tcp')
    return `${address.source}: cannot listen on port ${address.port} of ${address.host}: ${reasons[code] ?? message}`
  return code === 'EADDRINUSE'
    ? `${address.source}: ${address.path} exists: stop the process that listens on it, or choose another path`
    : `${address.source}: cannot listen on the socket ${address.path}: ${message}: its folder must exist, and this user must be able to write to it`
}

/** Returns the address of a server that listens, with its port if 0 was asked for, or of an inherited socket. */
function readAddress(server: Server, address: ListenAddress | InheritedSocket): ListenAddress {
  if (address.kind === 'unix') return address
  const actual = server.address() as AddressInfo | null // Node does not know the path of an inherited Unix socket
  if (actual === null) return { kind: 'unix', path: '(inherited)', source: 'LISTEN_FDS' }
  return address.kind === 'tcp'
    ? { ...address, port: actual.port }
    : { kind: 'tcp', host: actual.address, port: actual.port, source: 'LISTEN_FDS' }
}

/**
 * Removes a stale Unix socket: a connection to it fails with ECONNREFUSED, since its process has died. Anything else
 * at the path stays, and the server fails to listen.
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
