// Runs the checks against hostile clients and deployments, in a short form: every flood for two seconds, on the oldest and
// on a newer Node; the slowest requests that a search finds; and bodies made to harm the conformance suite.
// Exits with 1 where one fails.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { install } from './install.mjs'

await install(new URL('runtimes/', import.meta.url))
const { nodes } = await import('./runtimes/runtimes.mjs')
const program = (name) => nodes.find((node) => node.name === name).program

const floods = (node) => ['--import', 'tsx', '.ci/floods/main.ts', '--seconds', '2', '--node', program(node)]

/** The arguments of each check, for the Node that runs this file. */
const checks = {
  'floods, Node 20': floods('node-20'),
  'floods, Node 24': floods('node-24'),
  'the slowest shapes of a request': ['--import', 'tsx', 'adapters/testing/slowest.ts', '--seconds', '10'],
  'bodies that harm the suite': ['--import', 'tsx', 'conformance/sabotage/nasty.ts'],
}

for (const [name, args] of Object.entries(checks)) {
  console.log(`--- ${name}`)
  const { status } = spawnSync(process.execPath, args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
  })
  if (status !== 0) {
    console.error(`${name}: failed`)
    process.exitCode = 1
  }
}
