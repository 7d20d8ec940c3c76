// Kills servers and commands under load, 20 times on each kind of storage. Runs on a Node that has SQLite, which the
// oldest supported one lacks. Exits with 1 if a test fails or is skipped.
import { check, runTests } from './command.mjs'
import { install } from './install.mjs'

const files = ['adapters/standalone/storage/crash.e2e.test.ts']

await check('the rounds of crashes', async () => {
  await install(new URL('runtimes/', import.meta.url))
  const { nodes } = await import('./runtimes/runtimes.mjs')
  const { program } = nodes.find(({ name }) => name === 'node-24')
  const env = { PET_ADOPTION_CRASH_ROUNDS: '20' }
  await runTests(program, files, { flags: ['--test-concurrency=3'], env, timeout: 600_000 })
})
