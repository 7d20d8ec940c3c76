import type { Server } from 'node:http'

/** Listens on a free port, and prints the line that `startServer` waits for. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => announce(server.address()))
}

/** Prints the port. The process exits when the benchmark does, because that closes stdin. */
export function announce(address: unknown): void {
  if (typeof address !== 'object' || address === null || !('port' in address))
    throw new Error('the server has no port')
  process.stdin.once('end', () => process.exit()).resume()
  process.stdout.write(`port ${address.port}\n`)
}
