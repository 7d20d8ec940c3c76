// Every mount, the server of this runtime, and the contracts of the parts in memory.
import { petStoreContract, rateLimiterContract } from '../../../adapters/contracts/index.ts'
import { mountSuite } from '../../../adapters/testing/mount-suite.ts'
import { mounts } from '../../../adapters/testing/mounts.ts'
import { exchange } from '../../../adapters/testing/wire.ts'
import { createMemoryLimiter, createMemoryStore } from '../../../core/index.ts'
import { name, serve } from '../platform.mjs'
import { describe, it } from './runner.mjs'

const runner = { describe, it }
for (const [title, mount] of Object.entries(mounts)) mountSuite(title, mount, runner)
if (name !== 'node')
  mountSuite(
    `the server of ${name}`,
    async (service) => {
      const { port, close } = await serve(service)
      return { send: (sent = {}) => exchange(port, sent), close }
    },
    runner,
  )
describe('store in memory', () => petStoreContract({ test: it, create: createMemoryStore }))
describe('limiter in memory', () => rateLimiterContract({ test: it, create: createMemoryLimiter }))
