type Handler = (request: Request, info?: unknown) => Response | Promise<Response>

interface Listening {
  readonly hostname: string
  readonly port: number
  readonly fetch?: Handler
}

interface Runtimes {
  readonly Deno?: {
    serve(options: Listening & { onListen(address: unknown): void }, handler: Handler): unknown
  }
  readonly Bun?: { serve(options: Listening & { fetch: Handler }): unknown }
}

/** Serves a Fetch handler as the runtime does it that runs this, and tells the port as `announce` wants it. */
export function serveFetch(handler: Handler, announce: (address: unknown) => void): void {
  const { Deno, Bun } = globalThis as Runtimes // either is there, or neither
  const options = { hostname: '127.0.0.1', port: 0 }
  if (Deno) Deno.serve({ ...options, onListen: announce }, handler)
  else if (Bun) announce(Bun.serve({ ...options, fetch: handler }))
  else throw new Error('run this with Deno or Bun')
}
