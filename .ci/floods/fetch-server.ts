// The Fetch mount under Deno.serve or Bun.serve, with the keys of the file that the first argument names.
import { readFileSync } from 'node:fs'
import { createFetchHandler } from '../../adapters/fetch.ts'
import { createKeyStore, createMemoryStore, createPetService } from '../../core/index.ts'

type Handler = (request: Request, info?: unknown) => Promise<Response>
interface Listening {
  readonly hostname: string
  readonly port: number
}

/** The members of Deno and Bun that this program uses. */
interface Runtimes {
  readonly Deno?: {
    serve(options: Listening & { onListen(address: { port: number }): void }, handler: Handler): unknown
  }
  readonly Bun?: { serve(options: Listening & { fetch: Handler }): { port: number } }
}

const { keys } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const service = createPetService({ store: createMemoryStore(), keys: createKeyStore(keys) })
const handler: Handler = createFetchHandler(service, {
  fallback: (request) => new Response(null, { status: request.url.endsWith('/healthz') ? 200 : 404 }),
})
const announce = ({ port }: { port: number }) =>
  process.stdout.write(`listening on http://127.0.0.1:${port}${service.basePath}\n`)
const address: Listening = { hostname: '127.0.0.1', port: 0 }
const { Deno, Bun } = globalThis as Runtimes // this program runs in one of them
if (Deno) Deno.serve({ ...address, onListen: announce }, handler)
else if (Bun) announce(Bun.serve({ ...address, fetch: handler }))
