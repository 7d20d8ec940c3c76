// Runs every suite in the current runtime. Writes a line of JSON at the end of each.
import { mountSuite } from '../../adapters/testing/mount-suite.ts'
import { mounts } from '../../adapters/testing/mounts.ts'
import { exchange } from '../../adapters/testing/wire.ts'
import { name, serve, version } from './platform.mjs'
import { runSuite } from './runner.mjs'
import { conformanceSuite, serviceWithAnimals } from './suites/conformance.mjs'
import { memorySuites } from './suites/memory.mjs'
import { networkSuite } from './suites/network.mjs'
import { partSuites } from './suites/parts.mjs'
import { stopSuite } from './suites/stop.mjs'

/** Declares the tests of every mount, and of the server of this runtime. */
function mountsSuite(runner) {
  const own = async (service) => {
    const { port, close } = await serve(service)
    return { send: (sent = {}) => exchange(port, sent), close }
  }
  const all = name === 'node' ? mounts : { ...mounts, [`the server of ${name}`]: own }
  for (const [title, mount] of Object.entries(all)) mountSuite(title, mount, runner)
}

async function conformance(runner) {
  const { port, close } = await serve(serviceWithAnimals())
  await conformanceSuite(`http://127.0.0.1:${port}/v1`, runner)
  return close
}

/** Runs a suite, whose declaration returns how it ends, or throws where what it tests is absent. */
async function report(suite, declare) {
  let close
  const outcome = await runSuite(async (runner) => {
    close = await declare(runner)
  }).catch((error) => {
    if (!(suite in partSuites)) throw error
    return { absent: String(error?.message ?? error) }
  })
  console.log(JSON.stringify({ runtime: `${name} ${version}`, suite, ...outcome }))
  await close?.()
}

const suites = {
  mounts: mountsSuite,
  ...memorySuites,
  ...partSuites,
  conformance,
  network: networkSuite,
  'graceful stop': stopSuite,
}
for (const [suite, declare] of Object.entries(suites)) await report(suite, declare)
process.exit(0)
