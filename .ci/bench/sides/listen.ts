/** Prints the address for the benchmark, and exits when the benchmark closes stdin. */
export function announce(address: unknown): void {
  if (typeof address !== 'object' || address === null || !('port' in address))
    throw new Error('the server does not listen on a port')
  process.stdin.once('end', () => process.exit()).resume()
  process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
}

type Handler = (request: Request, info?: unknown) => Response | Promise<Response>

interface ServeOptions {
  readonly hostname: string
  readonly port: number
  readonly fetch?: Handler
}

interface Runtimes {
  readonly Deno?: {
    serve(options: ServeOptions & { onListen(address: unknown): void }, handler: Handler): unknown
  }
  readonly Bun?: { serve(options: ServeOptions & { fetch: Handler }): unknown }
}

const { Deno, Bun } = globalThis as Runtimes // only one of the two has types here

/** Serves a fetch handler on a free port, on Deno or Bun. */
export function listenFetch(handler: Handler): void {
  const options = { hostname: '127.0.0.1', port: 0 }
  if (Deno) Deno.serve({ ...options, onListen: announce }, handler)
  else if (Bun) announce(Bun.serve({ ...options, fetch: handler }))
  else throw new Error('this program requires Deno or Bun')
}
