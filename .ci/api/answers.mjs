// Runs the conformance suite through Prism, which holds every request and every answer against the description.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { createInterface } from 'node:readline'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const suite = fileURLToPath(new URL('../../dist/conformance/main.js', import.meta.url))

/** Fewer would mean that the suite gave up. */
const fewestExchanges = 40

/** What Prism says that is not so: it takes the largest double for the largest int64, and `bearer` for no `Bearer`. */
const errorsOfPrism = [
  ({ message }) => /must be [<>]= -?9007199254740991$/.test(message),
  ({ message }, req) =>
    message === 'Invalid security scheme used' && /^bearer [^ ]/i.test(req.headers.authorization ?? ''),
]

/** Throws where an answer is not as described, or where something was served that the description forbids. */
export async function checkAnswers({ url, key }) {
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
    // What Prism does to an int64 the suite rightly complains of: it is the violations that count here.
    await runSuite(`http://127.0.0.1:${recorder.address().port}/v1`, key)
  } finally {
    recorder.close().closeAllConnections()
    await prism.stop()
  }
  const mismatches = seen.flatMap(({ req, res, violations }) =>
    violations
      .filter(({ location }) => location[0] === 'response' || res.statusCode < 400)
      .filter((violation) => !errorsOfPrism.some((isOne) => isOne(violation, req)))
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

/** More than a page, so that the suite has something to look at. */
async function addAnimals(url, key) {
  const init = {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  }
  for (const status of Array(10).fill(['available', 'pending', 'sold']).flat()) {
    await fetch(`${url}/pets`, { ...init, body: JSON.stringify({ name: 'Ada', categoryId: 1, status }) })
  }
}

/** Passes a request on and answers what Prism says of it. */
async function forward(req, res, prismUrl, serverUrl) {
  const body = await buffer(req)
  // Prism knows no base path; and it answers by itself what it cannot read, so that such a body goes straight through.
  const base = isJson(body) ? prismUrl : serverUrl
  const onward = request(base + req.url.replace(/^\/v1/, ''), { method: req.method, headers: req.headers })
  onward.end(body)
  const [answer] = await once(onward, 'response')
  const { 'sl-violations': violations = '[]', ...headers } = answer.headers
  res.writeHead(answer.statusCode, headers).end(await buffer(answer))
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
