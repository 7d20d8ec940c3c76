// Runs the suite of the mounts, the contracts of stores and limiters, the conformance suite, and a graceful stop of the
// standalone server in every supported runtime: from the built package and, on the newest Node, Deno and Bun, from
// the sources. Writes a line for each suite. Exits with 1 where a suite fails or does not run.
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { check, run } from '../command.mjs'
import { install } from '../install.mjs'
import { pack } from '../pack.mjs'
import { followManual } from './deno-manual.mjs'
import { checkPublishing } from './publish.mjs'

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
const queue = [...runs]
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work))
for (const [what, task] of [
  ['the entries on Deno: comments, publish --dry-run, types by an import map', checkPublishing],
  ['the lines of the manual on Deno, without Node', followManual],
])
  await check(what, async (empty) => {
    await task(empty, deno.program)
    console.log(`ok      ${what}`)
  })

/** Unpacks the package where npm would install it. */
async function placePackage() {
  const target = `${folder}node_modules/pet-adoption-service`
  rmSync(target, { recursive: true, force: true })
  mkdirSync(`${folder}dist`, { recursive: true })
  const { unpacked } = await pack(`${folder}dist`)
  renameSync(unpacked, target)
}

async function work() {
  for (let next = queue.shift(); next; next = queue.shift()) await carryOut(next)
}

async function carryOut({ name, program, args, script, from, suites, lacks }) {
  const options = { cwd: folder, timeout: 300_000, killSignal: 'SIGKILL' }
  const { stdout, problem } = await run(program, [...args, script], options).then(
    (stdout) => ({ stdout }),
    ({ message, cause }) => ({ stdout: cause.stdout, problem: message }),
  )
  const missing = new Set(suites)
  for (const line of stdout.split('\n').filter((line) => line.startsWith('{'))) {
    const { runtime, suite, ...outcome } = JSON.parse(line)
    missing.delete(suite)
    show([runtime.padEnd(22), from.padEnd(8), suite.padEnd(20)].join(' '), outcome, suite === lacks)
  }
  if (problem || missing.size > 0)
    fail(`${name.padEnd(22)} ${from}`, `without: ${[...missing].join()}\n${problem ?? ''}`)
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
  console.log(`FAILED  ${title}\n${reason}`)
  process.exitCode = 1
}
