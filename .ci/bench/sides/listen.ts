import type { Server } from 'node:http'

/** Listens on a free port, and says so. */
export function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => announce(server.address()))
}

/** Prints the line that `announced` waits for. The process exits when the benchmark does, because that closes stdin. */
export function announce(address: unknown): void {
  if (typeof address !== 'object' || address === null || !('port' in address))
    throw new Error('the server has no port')
  process.stdin.once('end', () => process.exit()).resume()
  process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
}
