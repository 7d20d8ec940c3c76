import type { Flood } from '../flood.ts'
import { head } from '../target.ts'

const requests = 2_000
const targets = ['/docs', '/openapi.json', '/v1/pets']
const pipelines = targets.map((target) => Buffer.from(head(`GET ${target}`).repeat(requests)))

function pipelining(reads: 'nothing' | 'a byte a second', title: string): Flood {
  return {
    title,
    start(_target, crowd) {
      crowd.join({
        count: 200,
        reads,
        lifetimeMs: 35_000, // a client that does not read does not see that the server has closed
        use: (socket, index) => void socket.write(pipelines[index % targets.length] ?? ''),
      })
      return () => []
    },
  }
}

/** Clients that send 2,000 requests at once, for pages and without a key, and read no response. */
export const unread: Flood = pipelining('nothing', '200 x 2,000 requests, no response read')

/** The same clients, but they read a byte a second. */
export const drip: Flood = pipelining('a byte a second', '200 x 2,000 requests, read a byte a second')
