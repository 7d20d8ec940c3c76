import { type Scenario, scenarios } from '../scenarios.ts'
import { fixedResponse } from './fixed-response.ts'
import { announce } from './listen.ts'
import { serveFetch } from './serve-fetch.ts'

function responder(scenario: Scenario): () => Response {
  const { status, headers: flat, body } = fixedResponse(scenario)
  const headers: Record<string, string> = {}
  for (let i = 0; i < flat.length; i += 2) headers[flat[i] ?? ''] = flat[i + 1] ?? ''
  return () => new Response(body, { status, headers })
}

const created = responder(scenarios.createPet)
const byTarget = new Map(
  Object.values(scenarios)
    .filter(({ method }) => method === 'GET')
    .map((scenario) => [scenario.target, responder(scenario)]),
)
const missing = () => new Response(null, { status: 404 })

async function readThenRespond(request: Request): Promise<Response> {
  await request.arrayBuffer()
  return created()
}

serveFetch((request) => {
  if (request.method === 'POST') return readThenRespond(request)
  const { url } = request
  return (byTarget.get(url.slice(url.indexOf('/', 'http://'.length))) ?? missing)()
}, announce)
