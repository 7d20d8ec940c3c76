import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createKeyStore, createPetService } from '../core/index.ts'
import { mounts } from './testing/mounts.ts'

for (const name of ['node:http', 'Fetch in process']) {
  it(`the response to a preflight has neither a body nor a length on ${name}`, async () => {
    const page = 'https://shelter.example'
    const service = createPetService({ keys: createKeyStore([]), cors: [page] })
    const mounted = await mounts[name]?.(service)
    assert.ok(mounted)
    try {
      const { status, headers, text } = await mounted.send({
        method: 'OPTIONS',
        headers: [
          ['Origin', page],
          ['Access-Control-Request-Method', 'GET'],
        ],
      })
      assert.equal(status, 204)
      assert.equal(headers.get('access-control-allow-origin'), page)
      assert.deepEqual(
        [headers.get('content-length'), headers.get('transfer-encoding'), text],
        [undefined, undefined, ''],
      )
    } finally {
      await mounted.close()
    }
  })
}
