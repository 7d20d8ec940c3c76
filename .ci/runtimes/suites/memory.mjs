import { petStoreContract, rateLimiterContract } from '../../../adapters/contracts/index.ts'
import { createMemoryLimiter, createMemoryStore } from '../../../core/index.ts'

/** The contracts of the parts that need no service and no file. */
export const memorySuites = {
  'store in memory': ({ it }) =>
    petStoreContract({
      test: it,
      createStore: createMemoryStore,
      capabilities: { page: true, createOnce: true, update: true, remove: true },
    }),
  'limiter in memory': ({ it }) => rateLimiterContract({ test: it, createLimiter: createMemoryLimiter }),
}
