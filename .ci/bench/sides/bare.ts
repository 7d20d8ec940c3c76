import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { changePath } from '../mix.ts'
import { type Scenario, scenarios } from '../scenarios.ts'
import { fixedResponse } from './fixed-response.ts'
import { listen } from './listen.ts'
import { mixedScenarios } from './mixed-scenarios.ts'

/** Further response headers: names and values in turn. */
const extra = process.argv.slice(2)

/** Writes the body as a string, because node:http sends a string, but not bytes, in one chunk with the head. */
function writer(scenario: Scenario): (res: ServerResponse) => void {
  const { status, headers, body } = fixedResponse(scenario, extra)
  const allHeaders = [...headers, 'Content-Length', String(Buffer.byteLength(body))]
  return (res) => {
    res.writeHead(status, allHeaders).end(body)
  }
}

const created = writer(scenarios.createPet)
const byTarget = new Map(
  [...Object.values(scenarios), ...mixedScenarios()]
    .filter(({ method }) => method === 'GET')
    .map((scenario) => [scenario.target, writer(scenario)]),
)

function readThenRespond(req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    Buffer.concat(chunks)
    created(res)
  })
}

listen(
  createServer((req, res) => {
    if (req.url?.startsWith(changePath)) req.resume().on('end', () => res.end())
    else if (req.method === 'POST') readThenRespond(req, res)
    else byTarget.get(req.url ?? '')?.(res)
  }),
)
