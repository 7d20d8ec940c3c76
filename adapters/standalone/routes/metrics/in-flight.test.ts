import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPetService, type ServiceRequest, type ServiceResponse } from '../../../../core/index.ts'
import { createInFlight } from './readings.ts'

const request: ServiceRequest = {
  method: 'GET',
  target: '/v1/pets',
  httpVersion: '1.1',
  client: '192.0.2.1',
  header: (name) => (name === 'host' ? 'localhost' : undefined),
  body: async () => new Uint8Array(),
}
const service = createPetService({ keys: { find: () => undefined } })
const response: ServiceResponse = { status: 200, headers: [], body: '' }

test('a request is in flight until its response is known, or the service fails', async () => {
  const inFlight = createInFlight()
  let resolve: (late: ServiceResponse) => void = () => assert.fail()
  let reject: (cause: Error) => void = () => assert.fail()
  const waiting = [
    new Promise<ServiceResponse>((done) => {
      resolve = done
    }),
    new Promise<ServiceResponse>((_, failed) => {
      reject = failed
    }),
  ]
  const watched = inFlight.watch({ ...service, handle: () => waiting.shift() ?? response })
  const handled = [watched.handle(request), watched.handle(request)]
  assert.equal(inFlight.count, 2)
  resolve(response)
  assert.equal(await handled[0], response)
  assert.equal(inFlight.count, 1)
  reject(new Error('a defect'))
  await assert.rejects(async () => handled[1], /a defect/)
  assert.equal(inFlight.count, 0)
})

test('a request that gets its response at once is never in flight', () => {
  const inFlight = createInFlight()
  const { status } = inFlight.watch(service).handle(request) as ServiceResponse // no part of the service waits
  assert.deepEqual([status, inFlight.count], [401, 0])
})
