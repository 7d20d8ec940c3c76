import assert from 'node:assert/strict'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { authHeaders, createTestService } from '../testing/mount-suite/open-mount.ts'
import { connect, formatHead } from '../testing/wire.ts'
import { createNodeHandler, hardenServer, serverOptions } from './index.ts'

const file = fileURLToPath(import.meta.url)
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const skip = major > 22 || (major === 22 && minor >= 12) ? false : 'Node lacks dropMaxConnection'

if (cluster.isWorker) {
  const service = createTestService()
  const server = createServer(serverOptions, createNodeHandler(service))
  hardenServer(server, service, { maxConnections: 1 })
  server.listen(0, '127.0.0.1')
} else
  it('each cluster worker drops connections beyond maxConnections', { skip }, async (t) => {
    cluster.setupPrimary({ exec: file, execArgv: ['--import', 'tsx'] })
    const workers = [cluster.fork(), cluster.fork()]
    t.after(() => {
      for (const { process } of workers) process.kill()
    })
    const [address] = await Promise.all(workers.map(async (worker) => (await once(worker, 'listening'))[0]))
    const wires = await Promise.all([1, 2, 3, 4].map(() => connect(address.port)))
    for (const wire of wires)
      wire.write(formatHead('GET /v1/pets HTTP/1.1', 'Host: x', authHeaders.zoo.join(': ')))
    const statuses = await Promise.all(wires.map(async (wire) => (await wire.read())?.status))
    assert.deepEqual(statuses.sort(), [200, 200, undefined, undefined])
    for (const wire of wires) wire.close()
  })
