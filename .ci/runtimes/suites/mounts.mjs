import { mountSuite } from '../../../adapters/testing/mount-suite.ts'
import { mounts } from '../../../adapters/testing/mounts.ts'
import { exchange } from '../../../adapters/testing/wire.ts'
import { name, serve } from '../platform.mjs'

/** Declares the tests of every mount, and of the server of this runtime. */
export function mountsSuite(runner) {
  const own = async (service) => {
    const { port, close } = await serve(service)
    return { send: (sent = {}) => exchange(port, sent), close }
  }
  const all = name === 'node' ? mounts : { ...mounts, [`the server of ${name}`]: own }
  for (const [title, mount] of Object.entries(all)) mountSuite(title, mount, runner)
}
