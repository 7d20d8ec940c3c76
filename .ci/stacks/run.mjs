// Starts implementations of the interface on other stacks, correct and with the typical mistakes of their stack, runs the
// built conformance suite against each, and compares its verdicts with those that were checked by hand. Exits with 1 if one differs.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from '../command.mjs'
import { install } from '../install.mjs'
import { stacks } from './stacks.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const suite = fileURLToPath(new URL('../../dist/conformance/main.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'pet-adoption-stacks-'))
const only = process.argv.slice(2)

try {
  for (const packages of ['./', '../api/']) await install(new URL(packages, import.meta.url))
  await installPrograms()
  const queue = stacks.map((stack) =>
    Object.entries(stack.flaws)
      .map(([flaw, expected]) => ({ stack, flaw, expected }))
      .filter(
        ({ flaw }) =>
          only.length === 0 || only.includes(stack.name) || only.includes(`${stack.name}:${flaw}`),
      ),
  )
  const all = queue.flat().length
  let differences = 0
  const work = async () => {
    for (let deployments = queue.shift(); deployments; deployments = queue.shift())
      for (const deployment of deployments) if (!(await isJudgedAsExpected(deployment))) differences++
  }
  // Two stacks at a time, since a run waits for the end of a window; the deployments of one may share what it builds.
  await Promise.all([work(), work()])
  if (differences > 0)
    throw new Error(`${differences} of ${all} deployments are judged otherwise than expected`)
  console.log(`${all} deployments are judged as expected`)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}

/** Installs the programs that a stack needs, from Debian's packages, unless the machine has them. */
async function installPrograms() {
  const missing = []
  for (const { program, debian } of stacks)
    if (debian && !(await run('which', [program]).catch(() => undefined))) missing.push(debian)
  if (missing.length === 0) return
  console.log(`installing ${missing.join(', ')}`)
  const command = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@" >&2'
  await run('sh', ['-c', command, 'sh', ...missing], { timeout: 600_000 })
}

async function isJudgedAsExpected({ stack, flaw, expected }) {
  const began = performance.now()
  const report = await judge(stack, flaw, expected.profile ?? 'create')
  const found = {
    exitCode: report.exitCode,
    fail: idsOf(report, 'fail'),
    warn: idsOf(report, 'warn'),
    inconclusive: idsOf(report, 'inconclusive'),
  }
  const wanted = {
    exitCode: expected.exitCode ?? (expected.fail ? 1 : 0),
    fail: expected.fail ?? [],
    warn: expected.warn ?? [],
    inconclusive: expected.inconclusive ?? [],
  }
  const differs = Object.keys(wanted).filter((name) => String(wanted[name]) !== String(found[name]))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `${differs.length === 0 ? 'as expected' : 'DIFFERS'}  ${stack.name}:${flaw}  ${seconds} s  fail: ${found.fail.join(' ') || 'none'}`,
  )
  for (const name of differs) {
    console.log(`  ${name}: expected ${wanted[name]}, found ${found[name]}`)
  }
  if (differs.length > 0)
    for (const { id, verdict, reason } of report.rules)
      if (['fail', 'warn', 'inconclusive'].includes(verdict)) console.log(`  ${id} ${verdict}: ${reason}`)
  return differs.length === 0
}

function idsOf({ rules }, verdict) {
  return rules.filter((rule) => rule.verdict === verdict).map(({ id }) => id)
}

/** Starts a deployment on a free port, runs the suite against it, and stops it. Returns the report. */
async function judge(stack, flaw, profile) {
  const port = await freePort()
  const key = () => randomBytes(18).toString('base64url')
  const keys = { API_KEY: key(), THROTTLE_KEY: key() }
  const data = join(folder, `${stack.name}-${flaw}-${port}`)
  const [program, ...args] = await stack.command({ here, folder, port, run })
  const server = spawn(program, args, {
    cwd: here,
    env: { ...process.env, ...keys, PORT: String(port), FLAW: flaw === 'none' ? '' : flaw, DATA: data },
    stdio: ['ignore', 'ignore', process.env.VERBOSE ? 'inherit' : 'ignore'],
  })
  try {
    await listening(port, server)
    const out = `${data}.json`
    const base = `http://127.0.0.1:${port}${stack.basePath ?? '/v1'}`
    await seed(base, keys.API_KEY)
    const child = spawn(
      process.execPath,
      [suite, base, '--profile', profile, '--format', 'json', '--out', out],
      {
        env: {
          ...process.env,
          PET_ADOPTION_API_KEY: keys.API_KEY,
          PET_ADOPTION_THROTTLE_KEY: keys.THROTTLE_KEY,
        },
        stdio: ['ignore', 'ignore', process.env.VERBOSE ? 'inherit' : 'ignore'],
      },
    )
    const [exitCode] = await once(child, 'exit')
    return { ...JSON.parse(readFileSync(out, 'utf8')), exitCode }
  } finally {
    const gone = server.exitCode === null && server.signalCode === null && once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  }
}

/** Adds more animals of each status than a page has by default. What a deployment with a flaw responds does not matter. */
async function seed(base, key) {
  for (let i = 0; i < 24; i++) {
    const body = JSON.stringify({
      name: `Animal ${i}`,
      categoryId: 1 + (i % 3),
      status: ['available', 'pending', 'sold'][i % 3],
    })
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const response = await fetch(`${base}/pets`, { method: 'POST', headers, body })
    await response.arrayBuffer()
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function listening(port, server) {
  const deadline = performance.now() + 60_000
  while (performance.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`the deployment stopped with ${server.exitCode}`)
    const socket = connect(port, '127.0.0.1')
    const [connected] = await Promise.race([
      once(socket, 'connect').then(() => [true]),
      once(socket, 'error').then(() => [false]),
    ]).catch(() => [false])
    socket.destroy()
    if (connected) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the deployment does not listen on port ${port}`)
}
