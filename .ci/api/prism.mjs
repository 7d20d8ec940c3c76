// Runs the conformance suite through Prism, which validates every request and every response against the description.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { createInterface } from 'node:readline'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const suite = fileURLToPath(new URL('../../dist/conformance/main.js', import.meta.url))

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
    await runSuite(`http://127.0.0.1:${recorder.address().port}/v1`, key)
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

/** Adds more animals than a page has, so that the suite has evidence for every rule. */
async function addAnimals(url, key) {
  const init = {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  }
  for (const status of Array(10).fill(['available', 'pending', 'sold']).flat()) {
    await fetch(`${url}/pets`, { ...init, body: JSON.stringify({ name: 'Ada', categoryId: 1, status }) })
  }
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

async function startPrism(upstream) {
  const program = `${folder}node_modules/@stoplight/prism-cli/dist/index.js`
  const args = [program, 'proxy', `${folder}dist/openapi.json`, upstream, '--port', '0', '--cors', 'false']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], timeout: 180_000 })
  const ended = once(child, 'exit')
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`Prism stopped with ${code}`)))
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [address] = /(?<=listening on )http:\/\/[\d.:]+/.exec(line) ?? []
      if (address) resolve(address)
    })
  })
  return {
    url,
    async stop() {
      child.kill()
      await ended
    },
  }
}

async function runSuite(baseUrl, key) {
  const child = spawn(process.execPath, [suite, baseUrl, '--profile', 'create', '--format', 'json'], {
    env: { ...process.env, PET_ADOPTION_API_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 120_000,
  })
  const [report] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const { summary } = JSON.parse(report)
  console.log(
    Object.entries(summary)
      .map(([verdict, count]) => `${count} ${verdict}`)
      .join(', '),
  )
}
