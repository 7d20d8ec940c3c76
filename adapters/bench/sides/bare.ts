import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Scenario, scenarios } from '../scenarios.ts'
import { limits } from '../world.ts'
import { listen } from './listen.ts'

/** An answer that is there, whole, before the first request: as a string, which node:http writes faster than bytes. */
function readyMade({ status, answer, headers }: Scenario) {
  const body = JSON.stringify(answer)
  const all = [
    'Content-Type',
    'application/json',
    'X-RateLimit-Limit',
    String(limits.minute),
    'X-RateLimit-Remaining',
    String(limits.minute - 1),
    'X-RateLimit-Reset',
    String(Math.ceil(Date.now() / 1000) + 60),
    ...headers,
    'Content-Length',
    String(Buffer.byteLength(body)),
  ]
  return (res: ServerResponse) => {
    res.writeHead(status, all).end(body)
  }
}

const created = readyMade(scenarios.createPet)
const byTarget = new Map(
  Object.values(scenarios)
    .filter(({ method }) => method === 'GET')
    .map((scenario) => [scenario.target, readyMade(scenario)]),
)

function readThenAnswer(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    Buffer.concat(chunks)
    created(res)
  })
}

listen(
  createServer((req, res) => {
    if (req.method === 'POST') readThenAnswer(req, res)
    else byTarget.get(req.url ?? '')?.(res)
  }),
)
