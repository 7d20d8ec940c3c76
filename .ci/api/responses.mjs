// Runs the conformance suite against a server, and validates each response of an operation against the description.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { runConformance } from '../../dist/conformance/index.js'

/** With fewer exchanges, the suite has ended early. */
const fewestExchanges = 40

/** Throws if a response has a status, a body or headers that the description does not have. */
export async function checkResponses({ url, key }, document) {
  const ajv = new Ajv2020({ strict: false, formats: { int64: true } }).addSchema(document, 'openapi')
  const mismatches = []
  let count = 0
  /** As `fetch`, with the response validated. */
  async function fetchValidated(input, init) {
    const request = new Request(input, init)
    const response = await fetch(request.clone())
    const mismatch = await mismatchOf(ajv, document, url, request, response.clone())
    count++
    if (mismatch) mismatches.push(`${request.method} ${request.url} ${response.status}: ${mismatch}`)
    return response
  }
  await runConformance({ baseUrl: url, key, profile: 'create', fetch: fetchValidated })
  if (mismatches.length > 0)
    throw new Error(`responses differ from the description:\n${mismatches.join('\n')}`)
  if (count < fewestExchanges) throw new Error(`the suite sent only ${count} requests`)
  console.log(`${count} responses are as the description says`)
}

/** Returns what is wrong with the response of an operation. Other paths and methods are not described. */
async function mismatchOf(ajv, { components, paths }, baseUrl, { method, url }, response) {
  const below = new URL(url).pathname.slice(new URL(baseUrl).pathname.length)
  const path = /^\/pets\/[^/]+$/.test(below) ? '/pets/{petId}' : below
  const operation = paths[path]?.[method.toLowerCase()]
  if (!operation) return undefined
  const described = operation.responses[response.status]
  if (!described) return 'no such status'
  const absent = Object.entries(described.headers)
    .filter(([name, header]) => (components.headers[name] ?? header).required && !response.headers.has(name))
    .map(([name]) => name)
  if (absent.length > 0) return `no header ${absent.join()}`
  const pointer = [
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    response.status,
    'content',
    'application/json',
    'schema',
  ]
  const escaped = pointer.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'))
  const validate = ajv.getSchema(`openapi#/${escaped.map(encodeURIComponent).join('/')}`)
  return validate(await response.json()) ? undefined : ajv.errorsText(validate.errors)
}
