// Runs the tests inside workerd, and the conformance suite from outside against the service there.
import { fileURLToPath } from 'node:url'
import { Miniflare } from 'miniflare'
import { runConformance } from '../../conformance/index.ts'
import { key } from './suites/animals.mjs'

const worker = new Miniflare({
  modules: true,
  scriptPath: fileURLToPath(new URL('worker.mjs', import.meta.url)),
  compatibilityDate: '2026-07-01',
  compatibilityFlags: ['nodejs_compat'], // for node:assert and Buffer of the tests; the package itself does not need it
  host: '127.0.0.1',
  port: 0,
})
try {
  const { origin } = await worker.ready
  const { passed, failures } = await (await fetch(origin)).json()
  const { rules } = await runConformance({ baseUrl: `${origin}/v1`, key, profile: 'create', plan: 'pro' })
  const unproven = rules.filter(({ verdict }) => !['pass', 'not-run', 'not-applicable'].includes(verdict))
  const problems = [...failures, ...unproven.map(({ id, verdict, reason }) => `${id} ${verdict}: ${reason}`)]
  for (const problem of problems) console.error(problem)
  console.log(`${passed} tests passed, ${problems.length} problems`)
  if (passed === 0 || problems.length > 0) process.exitCode = 1
} finally {
  await worker.dispose()
}
