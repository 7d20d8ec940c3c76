import { chmodSync, lstatSync, readFileSync, readlinkSync, type Stats, unlinkSync } from 'node:fs'
import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { explain, StartError, startWith } from '../errors.ts'
import type { InheritedSocket, ListenAddress, Listening, PortFlags, TcpAddress } from './listen-address.ts'
import { checkReusePort } from './shared-port.ts'

/** The mode of a Unix socket: its owner and its group may connect, such as a proxy of that group. */
const socketMode = 0o660

/** The messages for the error codes of the system: what to do. */
const reasons: Readonly<Record<string, (address: TcpAddress, flags: PortFlags) => string>> = {
  EADDRINUSE: ({ host, port }, flags) =>
    `port ${port} of ${host} is in use: stop what uses it, or choose another with ${flags.port} (0 for any free one)`,
  EACCES: ({ port }, flags) =>
    `no permission to listen on port ${port}: choose one from 1024 on with ${flags.port}`,
  EADDRNOTAVAIL: ({ host }, flags) =>
    `${host} is not an address of this machine: choose one with ${flags.host}, such as 127.0.0.1, or 0.0.0.0 for all`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
}

/**
 * Starts to listen. A Unix socket that a dead process has left is replaced. Resolves with the address, and its actual port;
 * rejects with `StartError`.
 */
export async function listen(server: Server, { address, flags }: Listening): Promise<ListenAddress> {
  if (address.kind === 'unix') await removeStaleSocket(address.path, flags.port)
  if (address.kind === 'tcp' && address.reusePort) await checkReusePort()
  // Bun ignores the descriptor, and listens on any free port.
  if (address.kind === 'inherited' && process.versions.bun !== undefined)
    throw new StartError('Bun does not listen on the sockets of LISTEN_FDS: run the server with Node or Deno')
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new StartError(problemOf(error, address, flags))))
    // The system creates the socket during the call, and nobody else may connect before its mode is set.
    const umask = address.kind === 'unix' ? setUmask(0o777 & ~socketMode) : undefined
    server.listen(address, resolve) // by its `fd`, `path` or `port`
    if (umask !== undefined) setUmask(umask)
  })
  if (address.kind === 'inherited') return inheritedAddress(server, address)
  if (address.kind === 'unix') {
    startWith(`cannot set the mode of the socket ${address.path}`, () => chmodSync(address.path, socketMode))
    return address
  }
  return { ...address, port: (server.address() as AddressInfo).port } // a server on a port has such an address
}

/** Returns the umask before; undefined where the runtime lets nobody set it, as in Deno without a permission. */
function setUmask(umask: number): number | undefined {
  try {
    return process.umask(umask)
  } catch {
    return undefined
  }
}

function problemOf(
  { code = '', message }: NodeJS.ErrnoException,
  address: ListenAddress | InheritedSocket,
  flags: PortFlags,
): string {
  if (address.kind === 'inherited')
    return `cannot listen on descriptor ${address.fd} of LISTEN_FDS: ${message}: it must be a listening stream socket (Accept=no in a .socket unit)`
  if (address.kind === 'unix')
    return `cannot listen on the socket ${address.path}: ${message}: its folder must exist, and this user must be able to write to it`
  const { host, port } = address
  return reasons[code]?.(address, flags) ?? `cannot listen on port ${port} of ${host}: ${message}`
}

function unknownHost({ host }: TcpAddress, flags: PortFlags): string {
  return `there is no host named ${host}: choose another with ${flags.host}, such as 127.0.0.1`
}

/** Returns the address of a server that listens on an inherited socket. */
function inheritedAddress(server: Server, { fd }: InheritedSocket): ListenAddress {
  const address = server.address()
  if (typeof address === 'object' && address !== null)
    return { kind: 'tcp', host: address.address, port: address.port }
  return { kind: 'unix', path: pathOfSocket(fd) ?? `(descriptor ${fd})` }
}

/** Returns the path of an open Unix socket, which Node does not know, from Linux's /proc (proc(5)); undefined where it has none. */
function pathOfSocket(fd: number): string | undefined {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${fd}`)) ?? []
    const lines = readFileSync('/proc/net/unix', 'utf8').split('\n')
    const columns = lines.map((line) => line.split(/\s+/)).find((columns) => columns[6] === inode)
    return columns?.slice(7).join(' ') || undefined
  } catch {
    return undefined
  }
}

/**
 * Removes the Unix socket that a dead process has left at a path. Rejects with `StartError` if a process listens on it, or if
 * the path is that of anything else.
 *
 * @param flag The flag or variable that names the path, for messages.
 */
async function removeStaleSocket(path: string, flag: string): Promise<void> {
  const found = startWith(`cannot listen on the socket ${path}`, () =>
    lstatSync(path, { throwIfNoEntry: false }),
  )
  if (!found) return
  if (!found.isSocket())
    throw new StartError(`${path} exists and is no socket: choose another path with ${flag}, or remove it`)
  const problem = await connectionProblem(path)
  if (problem === undefined)
    throw new StartError(`a process listens on ${path}: stop it, or choose another path with ${flag}`)
  if (problem !== 'ECONNREFUSED')
    throw new StartError(
      `cannot find out who listens on ${path}: ${problem}: choose another path with ${flag}`,
    )
  startWith(`cannot replace the socket ${path} that a dead process has left`, () => remove(path, found))
}

/** Resolves with why a connection fails; undefined if it does not. The system decides at once: nothing is waited for. */
function connectionProblem(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(undefined)
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? explain(error, false)))
  })
}

/** Leaves a socket that another process has made meanwhile. */
function remove(path: string, found: Stats): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === found.ino) unlinkSync(path)
}
