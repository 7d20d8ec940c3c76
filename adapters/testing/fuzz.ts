import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createPetService, type PetService } from '../../core/index.ts'
import { createNodeHandler, hardenServer, serverOptions } from '../node-http.ts'
import { fuzzConnections } from './fuzz/connections.ts'
import { fuzzCore } from './fuzz/core.ts'
import type { Tally } from './fuzz/judge.ts'
import { createRandom } from './fuzz/random.ts'
import { listen, shut } from './listen.ts'

export interface FuzzOptions {
  readonly seed: number
  /** Requests to core in each round, and connections to node:http. */
  readonly requests: number
  readonly connections: number
  /** Returns whether another round follows. By default there is one round. */
  readonly goesOn?: () => boolean
}

/**
 * Sends random requests, in each round to a new service. Throws on the first response that no request may get, and on a
 * connection that hangs. Resolves with how often each status occurred.
 */
export async function fuzz({ seed, requests, connections, goesOn }: FuzzOptions): Promise<Tally> {
  const random = createRandom(seed)
  const tally: Tally = new Map()
  do {
    const service = fuzzedService()
    await fuzzCore(service, random, requests, tally)
    const server = createServer(
      { ...serverOptions, connectionsCheckingInterval: 200 },
      createNodeHandler(service),
    )
    hardenServer(server, service)
    server.requestTimeout = 2_000
    server.headersTimeout = 1_000
    const port = await listen(server)
    try {
      for (let left = connections; left > 0; left -= 50)
        await fuzzConnections(port, random, Math.min(left, 50), tally)
    } finally {
      await shut(server)
    }
  } while (goesOn?.())
  return tally
}

const limits = { minute: 100_000_000, day: 100_000_000 }

/** Creates a service whose one key is never rate-limited, behind one trusted proxy. */
function fuzzedService(): PetService {
  return createPetService({
    keys: { find: (token) => (token === 'good' ? { id: 'good', plan: 'enterprise', limits } : undefined) },
    trustProxy: 1,
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(Date.now()) },
    },
  })
  const deadline = Date.now() + Number(values.seconds) * 1000
  console.log(`seed ${values.seed}, ${values.seconds} s`)
  const tally = await fuzz({
    seed: Number(values.seed),
    requests: 20_000,
    connections: 1_000,
    goesOn: () => Date.now() < deadline,
  })
  const rows = [...tally].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  console.log(`no error found. Responses: ${rows.join(', ')}`)
}
