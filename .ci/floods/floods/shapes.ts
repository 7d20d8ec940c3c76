import type { Flood } from '../flood.ts'
import { countOf } from '../scan.ts'
import { head } from '../target.ts'

/** Leaves room for the rest of a head of 16 KiB. */
const headSize = 15_900
const bodySize = 65_400

const fill = (text: string, size: number) => text.repeat(Math.floor(size / text.length))

/** Targets, header lines and bodies of the maximum length. */
const targets = [
  `/v1/pets?${fill('%&', headSize)}`,
  `/v1/pets?${fill('a=1&', headSize)}`,
  `/v1/pets?${fill('%61', headSize)}`,
  `/v1/pets?limit=${fill('9', headSize)}`,
  `/v1/pets?limit=1${fill('0', headSize)}`,
  `/v1/pets?status=${fill('+', headSize)}`,
  `/v1/pets/${fill('9', headSize)}`,
  `/v1/pets/${fill('%2e%2e/', headSize)}`,
  `/v1/${fill('/', headSize)}`,
]
const lines = [
  fill('a:b\r\n', headSize / 2).slice(0, -2),
  `X-Forwarded-For: ${fill('1,', headSize)}`,
  `X-Forwarded-For: ${fill(':', headSize)}`,
  `Content-Type: application/json${fill(';', headSize)}`,
  `Content-Type: application/json;a="${fill('\\"', headSize)}`,
  `Content-Type: application/json;${fill(' ', headSize)}x`,
  `Idempotency-Key: "${fill('\\', headSize)}`,
  `Origin: ${fill('http://', headSize)}`,
  `Accept: ${fill('*/*;q=0,', headSize)}`,
]
const bodies = [
  fill('[', bodySize),
  fill('{"a":', bodySize),
  fill('[{},', bodySize),
  `{"name":"${fill('\\u0000', bodySize)}`,
  `{"name":"${fill('\\\\', bodySize)}"}`,
  `{"name":"Rex","categoryId":1${fill('0', bodySize)}}`,
  `{"name":"Rex","categoryId":0.${fill('0', bodySize)}1e65000}`,
  `{"name":"Rex","categoryId":1${fill('0', bodySize / 2)}.${fill('0', bodySize / 2)}}`,
  `{"categoryId":1,${fill('"name":"",', bodySize)}"name":"Rex"}`,
  `{${fill('"categoryId":1.0,', bodySize)}"name":"Rex"}`,
  `{"name":"Rex","categoryId":1${fill(' ', bodySize)}}`,
  `{${Array.from({ length: bodySize / 12 }, (_, i) => `"k${i}":1.0`).join()}}`.slice(0, bodySize),
  fill('\u00ff', bodySize / 2),
]

/** Clients that send the shapes that take the longest to parse, as often as a business key may in a minute. */
export const shapes: Flood = {
  title: '950 longest heads and bodies of one key at once',
  start({ keys }, crowd) {
    const posted = (lines: readonly string[], body: string) =>
      head('POST /v1/pets', keys.shapes, ...lines, `Content-Length: ${Buffer.byteLength(body)}`) + body
    const all = [
      ...targets.map((target) => head(`GET ${target}`, keys.shapes)),
      ...lines.map((line) => posted([line], '{"name":"Rex","categoryId":1}')),
      ...bodies.map((body) => posted(['Content-Type: application/json'], body)),
    ]
    const connections = all.length
    const perConnection = Math.floor(950 / connections)
    let failures = 0
    crowd.join({
      count: connections,
      lifetimeMs: 61_000,
      use(socket, index) {
        const failed = countOf('HTTP/1.1 5')
        socket.on('data', (chunk) => {
          failures += failed(chunk)
        })
        socket.write((all[index] ?? '').repeat(perConnection))
      },
    })
    return () => (failures === 0 ? [] : [`${failures} responses were a 5xx`])
  },
}
