// The program for workerd: the service of the conformance suite and, outside its base path, the suites that run inside.
import { createFetchHandler } from '../../adapters/fetch/index.ts'
import { fetchInProcess } from '../../adapters/testing/in-process.ts'
import { mountSuite } from '../../adapters/testing/mount-suite.ts'
import { runSuite } from './runner.mjs'
import { serviceWithAnimals } from './suites/conformance.mjs'
import { memorySuites } from './suites/memory.mjs'

const suites = {
  mounts(runner) {
    mountSuite('Fetch in process', fetchInProcess, runner)
  },
  ...memorySuites,
}

async function runSuites() {
  const outcomes = []
  for (const [suite, declare] of Object.entries(suites))
    outcomes.push({ suite, ...(await runSuite(declare)) })
  return Response.json(outcomes)
}

let handler
// biome-ignore lint/style/noDefaultExport: workerd finds the handlers by it
export default {
  // Workers may not draw random numbers or read the time before the first request.
  fetch(request) {
    handler ??= createFetchHandler(serviceWithAnimals(), { fallback: runSuites })
    return handler(request)
  },
}
