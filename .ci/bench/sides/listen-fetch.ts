import { announce } from './listen.ts'

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

const { Deno, Bun } = globalThis as Runtimes // at most one of them exists

/** Serves a Fetch handler with the server of the current runtime, and prints its port. */
export function listenFetch(handler: Handler): void {
  const options = { hostname: '127.0.0.1', port: 0 }
  if (Deno) Deno.serve({ ...options, onListen: announce }, handler)
  else if (Bun) announce(Bun.serve({ ...options, fetch: handler }))
  else throw new Error('this program requires Deno or Bun')
}
