import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMemoryStore } from '../../core/index.ts'
import { createRandom, type Random } from '../contracts/random.ts'
import { findFreePort } from '../contracts/testing/free-port.ts'
import { createNodeHandler, serverOptions } from '../node-http/index.ts'
import { closeServer, listen } from '../testing/listen.ts'
import { createTestService } from '../testing/mount-suite/open-mount.ts'
import { createPetClient } from './index.ts'

const creations = 1_000
const restarts = 20

test('a client creates each animal once despite restarts and lost responses', async (t) => {
  const store = createMemoryStore()
  const port = await findFreePort()
  const startServer = () =>
    createServer(serverOptions, createNodeHandler(createTestService({ store }))).listen(port, '127.0.0.1')
  let server = startServer()
  const proxy = createRoughProxy(port, createRandom(25))
  const baseUrl = `http://127.0.0.1:${await listen(proxy)}/v1`
  t.after(async () => {
    proxy.close()
    await closeServer(server)
  })
  let waits = 0
  const pets = createPetClient({
    baseUrl,
    apiKey: 'zoo-key',
    maxRetries: 50, // with the default of 4, some calls would fail by chance
    sleep: (ms) => sleep(ms / 50),
    onRetry: () => waits++,
  })
  let done = 0
  const createPet = async (i: number) => {
    const { id } = await pets.create({ name: `Rex ${i}`, categoryId: i })
    done++
    return id
  }
  const createAll = Promise.all(Array.from({ length: creations }, (_, i) => createPet(i)))
  for (let i = 1; i <= restarts; i++) {
    while (done < (i * creations) / (restarts + 1)) await sleep(1)
    await closeServer(server) // also closes connections with requests in flight
    server = startServer()
  }
  const createdPets = await createAll
  const listedIds: bigint[] = []
  for await (const { id, name, categoryId } of pets.list({ limit: 100 })) {
    listedIds.push(id)
    assert.equal(createdPets[Number(categoryId)], id, name)
  }
  assert.equal(listedIds.length, creations)
  assert.ok(waits > 50, `${waits} waits`)
})

/**
 * Creates a proxy that fails as networks do. It delays all data, closes the connection after every 20th chunk on
 * average, and repeats every 20th request.
 */
function createRoughProxy(target: number, random: Random): Server {
  const connectToTarget = () => connect(target, '127.0.0.1')
  const shouldFail = () => random.integer(1, 20) === 1
  return createSocketServer((inbound) => {
    const sentChunks: Buffer[] = []
    const outbound = connectToTarget()
    forward(inbound, outbound, (bytes) => {
      sentChunks.push(bytes)
      if (shouldFail()) repeat(sentChunks)
    })
    forward(outbound, inbound, () => {})
  })

  function forward(from: Socket, to: Socket, note: (bytes: Buffer) => void): void {
    from.on('error', () => {}) // an error is followed by the `close` event
    from.on('close', () => to.destroy())
    from.on('data', (bytes) => {
      note(bytes)
      const isCut = shouldFail()
      setTimeout(() => (isCut ? from.destroy() : to.write(bytes)), random.integer(0, 5))
    })
  }

  function repeat(requests: readonly Buffer[]): void {
    const respawn = connectToTarget()
    respawn.on('error', () => {})
    respawn.resume().end(Buffer.concat(requests))
  }
}
