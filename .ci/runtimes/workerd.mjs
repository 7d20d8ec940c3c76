// Runs the tests inside workerd, and the conformance suite from outside against the service there.
import { startServing } from '../../adapters/examples/testing/serving.ts'
import { runConformance } from '../../conformance/index.ts'
import { key } from './suites/animals.mjs'

// The tests need node:assert and Buffer; the package itself does not.
const worker = ['dist/.ci/runtimes/worker.mjs', '{port}', 'nodejs_compat']
const { origin, end } = await startServing([process.execPath, 'serve-worker.mjs', ...worker], {
  cwd: process.cwd(),
})
try {
  const { passed, failures } = await (await fetch(origin)).json()
  const { rules } = await runConformance({ baseUrl: `${origin}/v1`, key, profile: 'create', plan: 'pro' })
  const unproven = rules.filter(({ verdict }) => !['pass', 'not-run', 'not-applicable'].includes(verdict))
  const problems = [...failures, ...unproven.map(({ id, verdict, reason }) => `${id} ${verdict}: ${reason}`)]
  for (const problem of problems) console.error(problem)
  console.log(`${passed} tests passed, ${problems.length} problems`)
  if (passed === 0 || problems.length > 0) process.exitCode = 1
} finally {
  await end()
}
