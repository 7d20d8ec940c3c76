import { readFileSync, readlinkSync } from 'node:fs'
import type { Server } from 'node:net'
import type { InheritedSocket, ListenAddress } from './listen-address.ts'

/** Returns the address of a server that listens on an inherited socket. */
export function inheritedAddress(server: Server, { fd }: InheritedSocket): ListenAddress {
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
