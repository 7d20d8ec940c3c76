import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Scenario, scenarios } from '../scenarios.ts'
import { listen } from './listen.ts'
import { readyMade } from './ready-made.ts'

/** Writes the body as a string: node:http sends it with the head in one piece, which bytes are not. */
function writer(scenario: Scenario): (res: ServerResponse) => void {
  const { status, headers, body } = readyMade(scenario)
  const all = [...headers, 'Content-Length', String(Buffer.byteLength(body))]
  return (res) => {
    res.writeHead(status, all).end(body)
  }
}

const created = writer(scenarios.createPet)
const byTarget = new Map(
  Object.values(scenarios)
    .filter(({ method }) => method === 'GET')
    .map((scenario) => [scenario.target, writer(scenario)]),
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
