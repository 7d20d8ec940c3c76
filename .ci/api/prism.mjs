// Runs the conformance suite through Prism, which validates every request and every response against the description.
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { addAnimals, announced, runSuite } from '../server.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** With fewer exchanges, the suite has ended early. */
const fewestExchanges = 40

/** False violations of Prism: it reads the largest safe integer as the largest int64, and rejects the scheme `bearer` in lower case. */
const falseViolations = [
  ({ message }) => /must be [<>]= -?9007199254740991$/.test(message),
  ({ message }, req) =>
    message === 'Invalid security scheme used' && /^bearer [^ ]/i.test(req.headers.authorization ?? ''),
]

/** Throws if a response does not match the description, or if the server accepts a request that the description forbids. */
export async function checkResponses({ url, key }) {
  const prism = await startPrism(url)
  const seen = []
  const recorder = createServer((req, res) => {
    forward(req, res, prism.url, url).then(
      (violations) => seen.push({ req, res, violations }),
      (error) => res.destroy(error),
    )
  })
  try {
    await addAnimals(url, key)
    recorder.listen(0, '127.0.0.1')
    await once(recorder, 'listening')
    // Prism rounds int64, so that rules of the suite fail. Only the violations count here.
    const through = `http://127.0.0.1:${recorder.address().port}/v1`
    const { printed } = await runSuite(through, { key }, '--profile', 'create', '--format', 'json')
    const { summary } = JSON.parse(printed)
    console.log(
      Object.entries(summary)
        .map(([verdict, count]) => `${count} ${verdict}`)
        .join(', '),
    )
  } finally {
    recorder.close().closeAllConnections()
    await prism.stop()
  }
  const mismatches = seen.flatMap(({ req, res, violations }) =>
    violations
      .filter(({ location }) => location[0] === 'response' || res.statusCode < 400)
      .filter((violation) => !falseViolations.some((isFalse) => isFalse(violation, req)))
      .map(
        ({ location, message }) =>
          `${req.method} ${req.url} ${res.statusCode}: ${location.join('.')} ${message}`,
      ),
  )
  for (const mismatch of mismatches) console.error(mismatch)
  if (mismatches.length > 0) throw new Error(`Prism found ${mismatches.length} mismatches`)
  if (seen.length < fewestExchanges) throw new Error(`only ${seen.length} exchanges went through Prism`)
  console.log(`no mismatch in ${seen.length} exchanges`)
}

/** Forwards a request and its response. Returns the violations that Prism finds. */
async function forward(req, res, prismUrl, serverUrl) {
  const body = await buffer(req)
  // Prism has no base path. It rejects a body that is not JSON by itself: such a request goes to the server directly.
  const base = isJson(body) ? prismUrl : serverUrl
  const onward = request(base + req.url.replace(/^\/v1/, ''), { method: req.method, headers: req.headers })
  onward.end(body)
  const [response] = await once(onward, 'response')
  const { 'sl-violations': violations = '[]', ...headers } = response.headers
  res.writeHead(response.statusCode, headers).end(await buffer(response))
  return JSON.parse(violations)
}

function isJson(body) {
  try {
    return body.length === 0 || JSON.parse(body) !== undefined
  } catch {
    return false
  }
}

function startPrism(upstream) {
  const program = `${folder}node_modules/@stoplight/prism-cli/dist/index.js`
  const args = [program, 'proxy', `${folder}dist/openapi.json`, upstream, '--port', '0', '--cors', 'false']
  const read = (line) => /(?<=listening on )http:\/\/[\d.:]+/.exec(line)?.[0]
  return announced(process.execPath, args, read)
}
