// Tests the package's server on this runtime: its own on Deno and Bun, node:http on Node.
import { deepEqual } from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { petStoreContract, rateLimiterContract } from '../../../adapters/contracts/index.ts'
import { createFetchHandler } from '../../../adapters/fetch/index.ts'
import { createPetServer } from '../../../adapters/node-http/index.ts'
import { closeServer, listen } from '../../../adapters/testing/listen.ts'
import { testMount } from '../../../adapters/testing/mount-suite.ts'
import { exchange } from '../../../adapters/testing/wire.ts'
import { runConformance } from '../../../conformance/index.ts'
import { createMemoryLimiter, createMemoryStore } from '../../../core/index.ts'
import { key, serviceWithAnimals } from './animals.mjs'

const { Bun, Deno } = globalThis

async function serve(service) {
  const options = { hostname: '127.0.0.1', port: 0 }
  if (Bun) {
    const server = Bun.serve({ ...options, fetch: createFetchHandler(service) })
    return { port: server.port, close: () => server.stop(true) }
  }
  if (Deno) {
    const server = Deno.serve({ ...options, onListen() {} }, createFetchHandler(service))
    return { port: server.addr.port, close: () => server.shutdown() }
  }
  const server = createPetServer(service)
  return { port: await listen(server), close: () => closeServer(server) }
}

async function mount(service) {
  const { port, close } = await serve(service)
  return { send: (sent = {}) => exchange(port, sent), close }
}
testMount('the server of this runtime', mount, { describe, it })

test('the conformance suite finds no failure on this runtime', async () => {
  const { port, close } = await serve(serviceWithAnimals())
  const baseUrl = `http://127.0.0.1:${port}/v1`
  // AUTH-17 needs to know which connection a request used, which Deno and Bun do not tell.
  const skip = Bun || Deno ? ['AUTH-17'] : []
  const { rules } = await runConformance({ baseUrl, apiKey: key, profile: 'create', plan: 'pro', skip })
  await close()
  const unproven = rules.filter(({ verdict }) => !['pass', 'not-run', 'not-applicable'].includes(verdict))
  deepEqual(unproven, [])
})

petStoreContract({ test, create: createMemoryStore })
rateLimiterContract({ test, create: createMemoryLimiter })
