// The rules of the profile `create`, judged on a service in the same runtime.
import { runConformance } from '../../../conformance/index.ts'
import { name, serve } from '../platform.mjs'
import { key, serviceWithAnimals } from './animals.mjs'
import { describe, it } from './runner.mjs'

/** Deno and Bun do not name the connection of a request, which AUTH-17 needs. */
const skip = name === 'node' ? [] : ['AUTH-17']

const { port, close } = await serve(serviceWithAnimals())
const baseUrl = `http://127.0.0.1:${port}/v1`
const { rules } = await runConformance({ baseUrl, key, profile: 'create', plan: 'pro', skip })
await close()
describe('conformance', () => {
  for (const { id, verdict, reason } of rules)
    if (!['not-run', 'not-applicable'].includes(verdict))
      it(`${id} passes`, async () => {
        if (verdict !== 'pass') throw new Error(`${verdict}: ${reason}`)
      })
})
