import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import { it } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { createNodeHandler, hardenServer, serverOptions } from '../node-http.ts'
import { listen, shut } from '../testing/listen.ts'
import { auth, testService } from '../testing/mount-suite/open.ts'
import { connect, head } from '../testing/wire.ts'

/** A shared secret takes the place of a certificate. */
const psk = Buffer.alloc(16, 7)
const tls = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const
const list = head('GET /v1/pets HTTP/1.1', 'Host: x', auth.zoo.join(': '))

it('a hardened HTTPS server responds to pipelined requests in order, and then to what it cannot parse', async (t) => {
  const service = testService()
  const server = createServer(
    { ...serverOptions, ...tls, pskCallback: () => psk },
    createNodeHandler(service),
  )
  hardenServer(server, service)
  const port = await listen(server)
  t.after(() => shut(server))
  const pskCallback = () => ({ psk, identity: 'test' })
  const socket = connectTls({ ...tls, port, pskCallback, checkServerIdentity: () => undefined })
  const wire = await connect(port, socket)
  wire.write(`${list.repeat(50)}nonsense\r\n\r\n`)
  const statuses = (await wire.readAll()).map(({ status }) => status)
  assert.deepEqual(statuses, [...new Array<number>(50).fill(200), 400])
})
