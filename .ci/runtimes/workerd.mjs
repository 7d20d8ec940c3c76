// Runs the Worker's tests in workerd, the conformance suite against the Worker, and a Worker with the client.
import { deepEqual } from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { startProgram } from '../../adapters/examples/testing/serving.ts'
import { runConformance } from '../../conformance/index.ts'
import { key } from './suites/animals.mjs'

const resolvePath = (file) => fileURLToPath(new URL(file, import.meta.url))

/** Serves a Worker, and stops it after the task. */
async function withWorker(file, flags, task) {
  const command = [process.execPath, resolvePath('serve-worker.mjs'), resolvePath(file), '{port}', ...flags]
  const { origin, stop } = await startProgram(command)
  try {
    return await task(origin)
  } finally {
    await stop()
  }
}

// The tests need node:assert and Buffer, which the package does not.
await withWorker('worker.mjs', ['nodejs_compat'], async (origin) => {
  const { passed, failures } = await (await fetch(origin)).json()
  const { rules } = await runConformance({
    baseUrl: `${origin}/v1`,
    apiKey: key,
    profile: 'create',
    plan: 'pro',
  })
  const unproven = rules.filter(({ verdict }) => !['pass', 'not-run', 'not-applicable'].includes(verdict))
  const problems = [...failures, ...unproven.map(({ id, verdict, reason }) => `${id} ${verdict}: ${reason}`)]
  for (const problem of problems) console.error(problem)
  console.log(`${passed} tests passed, ${problems.length} problems`)
  if (passed === 0 || problems.length > 0) process.exitCode = 1
})

await withWorker('client-worker.mjs', [], async (origin) => {
  const request = () => fetch(origin).then((response) => response.text())
  const texts = await Promise.all(Array.from({ length: 60 }, request))
  deepEqual([...new Set(texts)], ['[{"id":9007199254740993,"name":"Rex","categoryId":7}]'])
})
