// Runs the suite of the mounts, the contracts of stores and limiters, the conformance suite, and a graceful stop of the
// standalone server in every supported runtime: from the built package and, on the newest Node, Deno and Bun, from
// the sources. Writes a line for each suite. Exits with 1 where a suite fails or does not run.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { install } from '../install.mjs'
import { pack } from '../pack.mjs'
import { followManual } from './deno-manual.mjs'
import { checkPublishing } from './publish.mjs'

const execute = promisify(execFile)
const patienceMs = 300_000
const here = new URL('.', import.meta.url)
const folder = fileURLToPath(here)

await install(here)
await placePackage()
const { bundle } = await import('./bundle.mjs')
await bundle()
const { bun, deno, newestNode, nodes } = await import('./runtimes.mjs')

const inMemory = ['mounts', 'store in memory', 'limiter in memory', 'conformance']
const suites = [
  ...inMemory,
  'store in SQLite',
  'store in PostgreSQL',
  'store in PostgreSQL, by the package postgres',
  'store in PGlite',
  'limiter in Redis',
  'network',
  'graceful stop',
]
const ofBun = ['store in PostgreSQL, by Bun.SQL', 'limiter in Redis, by Bun.RedisClient']
const suitesOf = (runtime) => (runtime === bun ? [...suites, ...ofBun] : suites)
/** They read TypeScript, as Node 22 and 24 do. */
const fromSources = [newestNode, deno, bun]
const runs = [
  ...[...nodes, deno, bun].flatMap((runtime) => [
    { ...runtime, suites: suitesOf(runtime), from: 'package', script: 'dist/suite.mjs' },
    ...(fromSources.includes(runtime)
      ? [{ ...runtime, suites: suitesOf(runtime), from: 'sources', script: 'suite.mjs' }]
      : []),
  ]),
  { ...newestNode, name: 'workerd', suites: inMemory, from: 'package', script: 'dist/workerd.mjs' },
]
const failures = []
const started = Date.now()
const queue = [...runs]
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work))
await onDeno('the entries: comments, publish --dry-run, types by an import map', checkPublishing)
await onDeno('the lines of the manual, without Node', followManual)
for (const failure of failures) console.log(`\n--- ${failure}`)
const seconds = Math.round((Date.now() - started) / 1000)
console.log(`\n${runs.length} runs in ${seconds} s, ${failures.length} failures`)
process.exitCode = failures.length === 0 ? 0 : 1

/** Unpacks the package where npm would install it. */
async function placePackage() {
  const target = `${folder}node_modules/pet-adoption-service`
  rmSync(target, { recursive: true, force: true })
  mkdirSync(`${folder}dist`, { recursive: true })
  const { unpacked } = await pack(`${folder}dist`)
  renameSync(unpacked, target)
}

/** Carries out a check of Deno, which gets an empty folder and the program. */
async function onDeno(what, check) {
  const empty = mkdtempSync(join(tmpdir(), 'pet-adoption-deno-'))
  try {
    await check(empty, deno.program)
    console.log(`ok      on Deno, ${what}`)
  } catch (error) {
    fail(`on Deno, ${what}`, error.message)
  } finally {
    rmSync(empty, { recursive: true })
  }
}

async function work() {
  for (let run = queue.shift(); run; run = queue.shift()) await carryOut(run)
}

async function carryOut({ name, program, args, script, from, suites, lacks }) {
  const options = { cwd: folder, timeout: patienceMs, killSignal: 'SIGKILL', maxBuffer: 2 ** 26 }
  const { stdout, stderr, end } = await execute(program, [...args, script], options).then(
    (output) => ({ ...output, end: 0 }),
    ({ stdout, stderr, signal, code }) => ({ stdout, stderr, end: signal ?? code }),
  )
  const outcomes = stdout.split('\n').filter((line) => line.startsWith('{'))
  const missing = new Set(suites)
  for (const { runtime, suite, ...outcome } of outcomes.map((line) => JSON.parse(line))) {
    missing.delete(suite)
    show([runtime.padEnd(22), from.padEnd(8), suite.padEnd(20)].join(' '), outcome, suite === lacks)
  }
  if (end !== 0 || missing.size > 0) {
    fail(`${name.padEnd(22)} ${from}`, `ended with ${end}, without: ${[...missing].join()}\n${stderr}`)
  }
}

/** In CI every part must be there, except those that the runtime lacks. */
function show(title, { passed, failed, skipped, absent }, isLacking) {
  if (absent !== undefined) {
    if (process.env.CI === 'true' && !isLacking) fail(title, absent)
    else console.log(`-       ${title} absent: ${absent}`)
  } else if (failed.length > 0) {
    fail(title, failed.map(({ name, reason }) => `${name}\n${reason.replaceAll(/^/gm, '    ')}`).join('\n'))
  } else {
    console.log(`ok      ${title} ${passed} passed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`)
  }
}

function fail(title, reason) {
  console.log(`FAILED  ${title}`)
  failures.push(`${title}\n${reason}`)
}
