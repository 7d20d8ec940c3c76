// Kills servers, commands and stores under load, 20 times on each kind of storage. Runs on a Node that has SQLite, which the
// oldest supported one lacks. Exits with 1 if a test fails or is skipped.
import { fileURLToPath } from 'node:url'
import { run } from './command.mjs'
import { install } from './install.mjs'

const files = [
  'adapters/standalone/storage/crash.test.ts',
  'adapters/standalone/keys/crash.test.ts',
  'adapters/killed.test.ts',
]

await install(new URL('runtimes/', import.meta.url))
const { nodes } = await import('./runtimes/runtimes.mjs')
const { program } = nodes.find(({ name }) => name === 'node-24')
try {
  const tap = await run(
    program,
    ['--import', 'tsx', '--test', '--test-concurrency=3', '--test-reporter', 'tap', ...files],
    {
      cwd: fileURLToPath(new URL('..', import.meta.url)),
      env: { PET_ADOPTION_CRASH_ROUNDS: '20' },
      timeout: 600_000,
    },
  )
  const lines = tap.split('\n')
  const skipped = lines.filter((line) => /^ok .*# SKIP/.test(line))
  if (skipped.length > 0) throw new Error(`these were skipped:\n${skipped.join('\n')}`)
  console.log(lines.filter((line) => /^(?:ok|# (?:tests|pass)) /.test(line)).join('\n'))
} catch (error) {
  console.error(`the rounds of crashes failed: ${error.message}`)
  process.exitCode = 1
}
