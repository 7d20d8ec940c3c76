import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMemoryStore } from '../../core/index.ts'
import { createRandom, type Random } from '../contracts/random.ts'
import { freePort } from '../contracts/testing/free-port.ts'
import { createNodeHandler, serverOptions } from '../node-http/index.ts'
import { listen, shut } from '../testing/listen.ts'
import { testService } from '../testing/mount-suite/open.ts'
import { createPetClient } from './index.ts'

const creations = 1_000
const restarts = 20

test('creations through restarts and a rough proxy create each animal once', async (t) => {
  const store = createMemoryStore()
  const port = await freePort()
  const start = () =>
    createServer(serverOptions, createNodeHandler(testService({ store }))).listen(port, '127.0.0.1')
  let server = start()
  const proxy = createRoughProxy(port, createRandom(25))
  const baseUrl = `http://127.0.0.1:${await listen(proxy)}/v1`
  t.after(async () => {
    proxy.close()
    await shut(server)
  })
  let waits = 0
  const pets = createPetClient({
    baseUrl,
    apiKey: 'zoo-key',
    maxRetries: 50, // some would be unlucky five times
    sleep: (ms) => sleep(ms / 50),
    onRetry: () => waits++,
  })
  let done = 0
  const create = async (i: number) => {
    const { id } = await pets.create({ name: `Rex ${i}`, categoryId: i })
    done++
    return id
  }
  const all = Promise.all(Array.from({ length: creations }, (_, i) => create(i)))
  for (let i = 1; i <= restarts; i++) {
    while (done < (i * creations) / (restarts + 1)) await sleep(1)
    await shut(server) // cuts the requests in flight
    server = start()
  }
  const created = await all
  const found: bigint[] = []
  for await (const { id, name, categoryId } of pets.list({ limit: 100 })) {
    found.push(id)
    assert.equal(created[Number(categoryId)], id, name)
  }
  assert.equal(found.length, creations)
  assert.ok(waits > 50, `${waits} waits`)
})

/**
 * A proxy that fails as networks do: it delays all bytes, cuts one in twenty connections with each piece of a request
 * or of a response, and sends one in twenty requests to the server once more.
 */
function createRoughProxy(target: number, random: Random): Server {
  const open = () => connect(target, '127.0.0.1')
  const happens = () => random.whole(1, 20) === 1
  return createSocketServer((inbound) => {
    const sent: Buffer[] = []
    const outbound = open()
    forward(inbound, outbound, (bytes) => {
      sent.push(bytes)
      if (happens()) repeat(sent)
    })
    forward(outbound, inbound, () => {})
  })

  function forward(from: Socket, to: Socket, note: (bytes: Buffer) => void): void {
    from.on('error', () => {}) // the event close follows
    from.on('close', () => to.destroy())
    from.on('data', (bytes) => {
      note(bytes)
      const isCut = happens()
      setTimeout(() => (isCut ? from.destroy() : to.write(bytes)), random.whole(0, 5))
    })
  }

  function repeat(requests: readonly Buffer[]): void {
    const again = open()
    again.on('error', () => {})
    again.resume().end(Buffer.concat(requests))
  }
}
