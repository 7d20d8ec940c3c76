// Runs tests of the package in every supported runtime, with its own test runner, and the mounts and servers also from
// the sources on the newest Node, Deno and Bun. Prints a line for each run. Exits with 1 if one of them fails.
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, root, runCommand } from '../command.mjs'
import { install } from '../install.mjs'
import { pack } from '../pack.mjs'
import { storeOnNode20 } from './better-sqlite3.mjs'
import { followManual } from './deno-manual.mjs'
import { checkPublishing } from './publish.mjs'

const here = new URL('.', import.meta.url)
const folder = fileURLToPath(here)
/** The tests of the package that run in every runtime, and those that only check runtimes. */
const suites = [
  'adapters/mount-suite.test.ts',
  'adapters/postgres/drivers.test.ts',
  'adapters/redis/index.test.ts',
  'adapters/sqlite/index.test.ts',
  'adapters/sqlite/keys.test.ts',
  'conformance/network/proxy.test.ts',
  ...readdirSync(`${folder}suites`)
    .filter((name) => name.endsWith('.test.mjs'))
    .map((name) => `.ci/runtimes/suites/${name}`),
].map((path) => join(root, path))

await install(here)
await placePackage()
const { bundle } = await import('./bundle.mjs')
await bundle(suites)
const { bun, deno, newestNode, nodes } = await import('./runtimes.mjs')

const ofMounts = suites.filter((path) => /mount-suite|runtimes/.test(path))
const built = suites.map((path) => join(folder, 'dist', relative(root, path).replace(/\.\w+$/, '.mjs')))
/** The drivers of PostgreSQL do the same on every Node, and `npm test` runs them on the oldest. */
const withoutDrivers = built.filter((path) => !path.includes('postgres'))
const queue = [
  ...nodes.slice(0, -1).map((runtime) => ({ ...runtime, from: 'package', files: withoutDrivers })),
  ...[newestNode, deno, bun].map((runtime) => ({ ...runtime, from: 'package', files: built })),
  ...[newestNode, deno, bun].map((runtime) => ({ ...runtime, from: 'sources', files: ofMounts })),
  { ...newestNode, name: 'workerd', test: [], from: 'package', files: ['dist/.ci/runtimes/workerd.mjs'] },
]
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work))
for (const [what, task, { program }] of [
  ['the entries on Deno: comments, publish --dry-run, types by an import map', checkPublishing, deno],
  ['the lines of the manual on Deno, without Node', followManual, deno],
  ['a SQLite file on Node 20, with better-sqlite3', storeOnNode20, nodes[0]],
])
  await check(what, async (empty) => {
    await task(empty, program)
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
  for (let next = queue.shift(); next; next = queue.shift()) await runSuites(next)
}

async function runSuites({ name, program, test, files, from }) {
  const title = `${name.padEnd(8)} ${from.padEnd(8)}`
  const options = { cwd: folder, timeout: 400_000, killSignal: 'SIGKILL', env: { NO_COLOR: '1' } }
  try {
    const { stdout, stderr } = await runCommand(program, [...test, ...files], options)
    console.log(`ok      ${title} ${summary(stdout + stderr)}`)
  } catch ({ message }) {
    console.log(`FAILED  ${title}\n${message}`)
    process.exitCode = 1
  }
}

/** Returns the totals that a test runner prints. */
function summary(output) {
  const totals = output.match(
    /^(?:# |ℹ |\s*)(?:(?:pass|fail|skipped) \d+|\d+ (?:pass|fail|skip)\b|ok \|.*|\d+ tests passed.*)/gm,
  )
  return (totals ?? []).map((line) => line.replace(/^[#ℹ\s]+/, '')).join(', ')
}
