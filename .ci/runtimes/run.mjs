// Runs the package's tests from their sources on Deno and Bun with their own test runners, and in workerd; on the newest
// Node, what `npm test` lacks on the oldest: node .ci/runtimes/run.mjs
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, forEachInPairs, root, run, runCommand, writeFiles } from '../command.mjs'
import { install } from '../install.mjs'
import { pack } from '../pack.mjs'
import { startProgram } from '../serving.mjs'
import { followManual } from './deno-manual.mjs'

const here = new URL('.', import.meta.url)
/** Tests that depend on the runtime. The files in `suites` run only here. */
const suites = [
  'adapters/mount-suite.test.ts',
  'adapters/postgres/drivers.test.ts',
  'adapters/redis/index.test.ts',
  'adapters/sqlite/index.test.ts',
  'adapters/sqlite/key-store.test.ts',
  'conformance/network/proxy.test.ts',
  ...readdirSync(new URL('suites', here))
    .filter((name) => name.endsWith('.test.mjs'))
    .map((name) => `.ci/runtimes/suites/${name}`),
]

await install(here)
const { bun, deno, newestNode, nodes } = await import('./runtimes.mjs')
await forEachInPairs(
  [
    { ...deno, files: suites },
    { ...bun, files: suites },
    { ...newestNode, files: suites.filter((path) => /sqlite|suites/.test(path)) },
    { ...newestNode, name: 'workerd', test: [], files: [fileURLToPath(new URL('workerd.mjs', here))] },
  ],
  runSuites,
)
for (const [what, task, { program }] of [
  ['the comments of the public declarations', lintComments, deno],
  ['the Deno manual, without Node', followManual, deno],
  ['SQLite on Node 20 with better-sqlite3', storeOnNode20, nodes[0]],
])
  await check(what, async (empty) => {
    await task(empty, program)
    console.log(`ok      ${what}`)
  })

async function runSuites({ name, program, test, files }) {
  const options = { cwd: root, timeout: 400_000, killSignal: 'SIGKILL', env: { NO_COLOR: '1' } }
  try {
    const { stdout, stderr } = await runCommand(program, [...test, ...files], options)
    console.log(`ok      ${name.padEnd(8)} ${formatTotals(stdout + stderr)}`)
  } catch ({ message }) {
    console.log(`FAILED  ${name}\n${message}`)
    process.exitCode = 1
  }
}

/** Returns the totals that the runtime's test runner printed. */
function formatTotals(output) {
  const totals = output.match(
    /^(?:# |ℹ |\s*)(?:(?:pass|fail|skipped) \d+|\d+ (?:pass|fail|skip)\b|ok \|.*|\d+ tests passed.*)/gm,
  )
  return (totals ?? []).map((line) => line.replace(/^[#ℹ\s]+/, '')).join(', ')
}

async function lintComments(_folder, program) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entries = Object.values(exports).filter((path) => path.endsWith('.js'))
  const sources = entries.map((path) => path.replace('./dist/', './').replace(/\.js$/, '.ts'))
  await run(program, ['doc', '--lint', ...sources], { cwd: root })
}

/** Follows the operator's manual on Node 20, which has no SQLite. Keys and animals must survive a restart. */
async function storeOnNode20(folder, node) {
  const manual = readFileSync(join(root, 'adapters/standalone/README.md'), 'utf8')
  const [, driver] = /`npm install (better-sqlite3@\d+)`/.exec(manual)
  const { tarball } = await pack(folder)
  writeFiles(folder, { 'package.json': '{ "allowScripts": { "better-sqlite3": true } }' })
  // Without access to the built drivers, npm compiles it, which takes twice as long with optimization.
  const env = { CFLAGS: '-O0', CXXFLAGS: '-O0' }
  await run('npm', ['install', '--prefer-offline', tarball, driver], { cwd: folder, env, timeout: 400_000 })
  const program = join(folder, 'node_modules/pet-adoption-service/dist/adapters/standalone/main.js')
  const data = ['--data', 'animals.sqlite']
  const issue = ['keys', 'issue', ...data, '--id', 'shelter', '--plan', 'pro']
  const [key] = /^\S{30,}$/m.exec(await run(node, [program, ...issue], { cwd: folder }))
  for (let start = 1; start <= 2; start++) {
    const { origin, stop } = await startProgram([node, program, ...data], { cwd: folder })
    try {
      const url = `${origin}/v1/pets`
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      await fetch(url, { method: 'POST', headers, body: '{"name":"Mia","categoryId":3}' })
      const pets = await (await fetch(url, { headers })).json()
      if (pets.length !== start) throw new Error(`found ${pets.length} animals after start ${start}`)
    } finally {
      await stop()
    }
  }
}
