import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { it, type TestContext } from 'node:test'
import type { ServiceOptions } from '../../core/index.ts'
import { codeOf } from '../testing/exchange.ts'
import { listen } from '../testing/listen.ts'
import { auth, testService } from '../testing/mount-suite/open.ts'
import { connect, head } from '../testing/wire.ts'
import { createPetServer, type PetServer, type PetServerOptions } from './pet-server.ts'

const list = head('GET /v1/pets HTTP/1.1', 'Host: x', auth.zoo.join(': '))

const closing = (server: PetServer) => new Promise<Error | undefined>((resolve) => server.close(resolve))

async function open(t: TestContext, options: PetServerOptions = {}, service: Partial<ServiceOptions> = {}) {
  const server = createPetServer(testService(service), options)
  const wire = await connect(await listen(server))
  t.after(() => {
    wire.close()
    server.close()
  })
  return { server, wire }
}

it('a server of createPetServer serves the service and a fallback, is bounded, and responds instead of Node', async (t) => {
  const { server, wire } = await open(t, { fallback: ({ url }, res) => res.end(`the page ${url}`) })
  assert.equal((await wire.ask(list)).status, 200)
  assert.equal((await wire.ask(head('GET /about HTTP/1.1', 'Host: x'))).text, 'the page /about')
  assert.equal(codeOf(await wire.ask('nonsense\r\n\r\n')), 'invalid_request')
  assert.equal(server.maxConnections, 2_500)
})

it('its close cuts off what is busy at the deadline, and tells every callback the number', async (t) => {
  const lookups = new EventEmitter()
  const find = () => {
    lookups.emit('begun')
    return new Promise<undefined>(() => {})
  }
  const { server, wire } = await open(t, { deadlineMs: 20 }, { keys: { find } })
  wire.write(list)
  await once(lookups, 'begun')
  assert.equal(server.isClosing, false)
  for (const failure of await Promise.all([closing(server), closing(server)])) {
    assert.equal((failure as NodeJS.ErrnoException).code, 'ERR_CONNECTIONS_CUT_OFF')
    assert.match(String(failure), /: 1 connections/)
  }
  assert.equal(server.isClosing, true)
})

it('its close succeeds without connections, and reports a server that does not listen', async () => {
  const server = createPetServer(testService())
  await listen(server)
  assert.equal(await closing(server), undefined)
  const failure = await closing(createPetServer(testService()))
  assert.equal((failure as NodeJS.ErrnoException).code, 'ERR_SERVER_NOT_RUNNING')
})
