import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { describe, it, type TestContext } from 'node:test'
import type { ServiceOptions } from '../../core/index.ts'
import { codeOf } from '../testing/exchange.ts'
import { listen } from '../testing/listen.ts'
import { auth, testService } from '../testing/mount-suite/open.ts'
import { connect, head, type Wire } from '../testing/wire.ts'
import { ConnectionsCutOff, createPetServer, type PetServer, type PetServerOptions } from './pet-server.ts'

interface Started {
  readonly server: PetServer
  open(): Promise<Wire>
}

async function start(
  t: TestContext,
  options: PetServerOptions = {},
  service: Partial<ServiceOptions> = {},
): Promise<Started> {
  const server = createPetServer(testService(service), options)
  const port = await listen(server)
  const wires: Wire[] = []
  t.after(async () => {
    for (const wire of wires) wire.close()
    if (server.isClosing) return
    const closed = once(server, 'close')
    server.close().closeAllConnections()
    await closed
  })
  return {
    server,
    async open() {
      const wire = await connect(port)
      wires.push(wire)
      return wire
    },
  }
}

const list = head('GET /v1/pets HTTP/1.1', 'Host: x', auth.zoo.join(': '))

const closing = (server: PetServer) =>
  new Promise<Error | undefined>((resolve) => {
    server.close(resolve)
  })

describe('a server of createPetServer', () => {
  it('serves the service, and is bounded', async (t) => {
    const { server, open } = await start(t)
    const wire = await open()
    wire.write(list)
    assert.equal((await wire.read())?.status, 200)
    wire.write('nonsense\r\n\r\n')
    const [last] = await wire.readAll()
    assert.equal(last && codeOf(last), 'invalid_request')
    assert.equal(server.maxConnections, 2_500)
  })

  it('hands requests outside the base path to the fallback', async (t) => {
    const fallback: PetServerOptions['fallback'] = (req: IncomingMessage, res) => {
      res.end(`the page ${req.url}`)
    }
    const { open } = await start(t, { fallback })
    const wire = await open()
    wire.write(head('GET /about HTTP/1.1', 'Host: x'))
    assert.equal((await wire.read())?.text, 'the page /about')
  })

  it('cuts off what is busy at the deadline, and hands the number to the callback', async (t) => {
    const lookups = new EventEmitter()
    const find = () => {
      lookups.emit('begun')
      return new Promise<undefined>(() => {})
    }
    const { server, open } = await start(t, { deadlineMs: 20 }, { keys: { find } })
    const wire = await open()
    wire.write(list)
    await once(lookups, 'begun')
    assert.equal(server.isClosing, false)
    const failure = await closing(server)
    assert.ok(failure instanceof ConnectionsCutOff)
    assert.equal(failure.connections, 1)
    assert.equal(server.isClosing, true)
  })

  it('calls every callback where it is closed twice', async (t) => {
    const { server } = await start(t)
    assert.deepEqual(await Promise.all([closing(server), closing(server)]), [undefined, undefined])
  })

  it('reports to the callback that it did not listen, as every server of Node does', async () => {
    const failure = await closing(createPetServer(testService()))
    assert.equal((failure as NodeJS.ErrnoException).code, 'ERR_SERVER_NOT_RUNNING')
  })
})

describe('createPetServer', () => {
  const service = testService()
  const cases: Readonly<Record<string, readonly [options: object, message: RegExp]>> = {
    'an unknown option': [{ maxConnection: 5 }, /there are fallback, maxConnections/],
    'a negative time': [{ quietMs: -1 }, /options\.quietMs must be a number of milliseconds from 0/],
    'an endless deadline': [{ deadlineMs: Infinity }, /options\.deadlineMs must/],
    'no connections': [{ maxConnections: 0 }, /options\.maxConnections must be a whole number from 1/],
    'a fallback that is no function': [{ fallback: 5 }, /options\.fallback must be a function/],
  }
  for (const [what, [options, message]] of Object.entries(cases))
    it(`throws a TypeError for ${what}`, () =>
      assert.throws(() => createPetServer(service, options), { name: 'TypeError', message }))

  it('throws a TypeError where it gets no service', () => {
    assert.throws(() => createPetServer(undefined as never), /^TypeError: .*createPetService/)
  })
})
