// A Worker that mounts the service, and runs the tests for any path outside it.
import { petStoreContract, rateLimiterContract } from '../../adapters/contracts/index.ts'
import { createFetchHandler } from '../../adapters/fetch/index.ts'
import { fetchInProcess } from '../../adapters/testing/in-process.ts'
import { testMount } from '../../adapters/testing/mount-suite.ts'
import { createMemoryLimiter, createMemoryStore } from '../../core/index.ts'
import { serviceWithAnimals } from './suites/animals.mjs'

async function runTests() {
  const tests = []
  const it = (name, body) => tests.push([name, body])
  it.skip = () => {}
  testMount('Fetch in process', fetchInProcess, { describe: (_, body) => body(), it })
  petStoreContract({ test: it, create: createMemoryStore })
  rateLimiterContract({ test: it, create: createMemoryLimiter })
  const failures = []
  for (const [name, body] of tests) {
    const cleanups = []
    try {
      await body({ after: (cleanup) => cleanups.push(cleanup) })
    } catch (cause) {
      failures.push(`${name}: ${cause.stack}`)
    }
    for (const cleanup of cleanups) await cleanup()
  }
  return Response.json({ passed: tests.length - failures.length, failures })
}

let handler
// biome-ignore lint/style/noDefaultExport: workerd finds the handlers by it
export default {
  // Workers may neither draw random numbers nor read the time before the first request.
  fetch(request) {
    handler ??= createFetchHandler(serviceWithAnimals(), { fallback: runTests })
    return handler(request)
  },
}
