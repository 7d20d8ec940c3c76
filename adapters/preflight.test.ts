import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createTestService } from './testing/mount-suite/open-mount.ts'
import { mounts } from './testing/mounts.ts'

const page = 'https://shelter.example'

for (const name of ['node:http', 'Fetch in process'])
  it(`${name} responds to a preflight request with an empty 204`, async (t) => {
    const mounted = await mounts[name]?.(createTestService({ cors: [page] }))
    t.after(() => mounted?.close())
    const headers = { Origin: page, 'Access-Control-Request-Method': 'GET' }
    const response = await mounted?.send({ method: 'OPTIONS', headers: Object.entries(headers) })
    assert.deepEqual([response?.status, response?.text], [204, ''])
    const fields = ['access-control-allow-origin', 'content-length', 'transfer-encoding']
    const values = fields.map((field) => response?.headers.get(field))
    assert.deepEqual(values, [page, undefined, undefined])
  })
