import type { Server } from 'node:http'

/** Takes a free port and tells it, in the one line that `startServer` waits for. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => announce(server.address()))
}

/** Tells the port, and from then on ends with the benchmark, however that ends: it holds the other end of stdin. */
export function announce(address: unknown): void {
  if (typeof address !== 'object' || address === null || !('port' in address))
    throw new Error('the server has no port')
  process.stdin.once('end', () => process.exit()).resume()
  process.stdout.write(`port ${address.port}\n`)
}
