import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from '../errors.ts'

/** The messages for the error codes of the system: what to do. */
const reasons: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `port ${port} of ${host} is in use: stop what uses it, or choose another with --port (0 for any free one)`,
  EACCES: (_host, port) => `no permission to listen on port ${port}: choose one from 1024 on with --port`,
  EADDRNOTAVAIL: (host) =>
    `${host} is not an address of this machine: choose one with --host, such as 127.0.0.1, or 0.0.0.0 for all`,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
}

/** Starts to listen. Resolves with the port; rejects with `StartError`. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const { code = '', message } = error
      reject(
        new StartError(reasons[code]?.(host, port) ?? `cannot listen on port ${port} of ${host}: ${message}`),
      )
    })
    server.listen({ host, port }, () => {
      resolve((server.address() as AddressInfo).port) // a server on a port has such an address
    })
  })
}

function unknownHost(host: string): string {
  return `there is no host named ${host}: choose another with --host, such as 127.0.0.1`
}
