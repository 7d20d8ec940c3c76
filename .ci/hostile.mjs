// Runs the checks against hostile clients and deployments, in a short form: every flood for two seconds, on the oldest
// and on a newer Node, one after the other, so that neither slows the other's probes; the slowest requests that a
// search finds; and bodies made to harm the conformance suite. Exits with 1 if one fails.
import { check, root, run } from './command.mjs'
import { install } from './install.mjs'

await install(new URL('runtimes/', import.meta.url))
const { nodes } = await import('./runtimes/runtimes.mjs')
const runCheck = (name, args, program = process.execPath) =>
  check(name, async () => {
    const printed = await run(program, ['--import', 'tsx', ...args], { cwd: root, timeout: 600_000 })
    console.log(`--- ${name}\n${printed}`)
  })

for (const { name, program } of nodes.filter(({ name }) => /20|24/.test(name)))
  await runCheck(`floods, ${name}`, ['.ci/floods/main.ts', '--seconds', '2'], program)
await runCheck('the slowest shapes of a request', ['adapters/testing/slowest.ts', '--seconds', '10'])
await runCheck('bodies that harm the suite', ['.ci/hostile-cost.ts'])
