import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ByteReader } from './byte-reader.ts'
import { ClosedFirst, Malformed, type RawResponse, readResponse } from './response-reader.ts'

const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

/** A reader of a text that comes in chunks of these sizes, then in one. */
function readerOf(text: string, sizes: readonly number[] = []): ByteReader {
  const left = [...sizes]
  let rest = bytesOf(text)
  return new ByteReader(async () => {
    if (rest.byteLength === 0) return undefined
    const chunk = rest.subarray(0, left.shift() ?? rest.byteLength)
    rest = rest.subarray(chunk.byteLength)
    return chunk
  })
}

const read = (text: string, most = 1000): Promise<RawResponse> => readResponse(readerOf(text), most)
const bodyOf = ({ body }: RawResponse): string => Buffer.from(body.bytes).toString('latin1')
const ok = 'HTTP/1.1 200 OK\r\n'

describe('a response', () => {
  it('to HEAD has no body, and leaves what follows unread', async () => {
    const reader = readerOf(`${ok}Content-Length: 2\r\n\r\nHTTP/1.1 `)
    const response = await readResponse(reader, 1000, 'HEAD')
    assert.equal(bodyOf(response), '')
    assert.ok(response.isPersistent && reader.hasMore)
  })

  it('has the length of its Content-Length, and leaves the rest unread', async () => {
    const reader = readerOf(`${ok}Content-Length: 2\r\n\r\n[]HTTP/1.1 `)
    const response = await readResponse(reader, 1000)
    assert.equal(bodyOf(response), '[]')
    assert.ok(response.isPersistent && reader.hasMore)
  })

  it('has its headers in their order, in lower case, repeated and folded ones included', async () => {
    const { status, reason, headers } = await read(
      'HTTP/1.1 404 Not  Found\r\nX-A:1\r\nx-b: \t two words \t\r\nX-A: 2\r\n\tand 3\r\nContent-Length: 0\r\n\r\n',
    )
    assert.deepEqual([status, reason], [404, 'Not  Found'])
    assert.deepEqual(headers, [
      ['x-a', '1'],
      ['x-b', 'two words'],
      ['x-a', '2 and 3'],
      ['content-length', '0'],
    ])
  })

  it('may have bare line feeds, no reason, and interim responses before it', async () => {
    const response = await read(
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\nLink: </x>\n\nHTTP/1.1 200\nContent-Length: 1\n\n7`,
    )
    assert.deepEqual([response.status, bodyOf(response)], [200, '7'])
  })

  it('without a length ends with the connection, which cannot be used again', async () => {
    const response = await read(`${ok}\r\n[1,2]`)
    assert.equal(bodyOf(response), '[1,2]')
    assert.ok(!response.isPersistent)
  })

  it('is not persistent with Connection: close, nor in HTTP/1.0 without keep-alive', async () => {
    const persistent = async (head: string): Promise<boolean> =>
      (await read(`${head}\r\nContent-Length: 0\r\n\r\n`)).isPersistent
    assert.equal(await persistent('HTTP/1.1 200 OK\r\nConnection: foo, Close'), false)
    assert.equal(await persistent('HTTP/1.0 200 OK'), false)
    assert.equal(await persistent('HTTP/1.0 200 OK\r\nConnection: Keep-Alive'), true)
  })

  it('with 204 or 304 has no body', async () => {
    for (const status of [204, 304]) {
      const response = await read(`HTTP/1.1 ${status} X\r\nContent-Length: 5\r\n\r\nhello`)
      assert.equal(bodyOf(response), '')
    }
  })

  it('in chunks is joined, without extensions and trailers', async () => {
    const response = await read(
      `${ok}Transfer-Encoding: chunked\r\n\r\n3;a=b\r\n[1,\r\n0A\r\n2345678901\r\n1 \r\n]\r\n0\r\nX-Sum: 7\r\n\r\n`,
    )
    assert.equal(bodyOf(response), '[1,2345678901]')
    assert.ok(response.isPersistent)
  })

  it('beyond the bound is truncated, however its end is marked', async () => {
    for (const framed of [
      'Content-Length: 9\r\n\r\n123456789',
      'Transfer-Encoding: chunked\r\n\r\n9\r\n123456789\r\n0\r\n\r\n',
      '\r\n123456789',
    ]) {
      const { body, isPersistent } = await read(ok + framed, 8)
      assert.deepEqual([body.truncated, body.bytes.byteLength, isPersistent], [true, 0, false])
      assert.equal((await read(ok + framed, 9)).body.truncated, false)
    }
  })

  it('that ends before it begins is told from one that breaks off', async () => {
    await assert.rejects(read(''), ClosedFirst)
    await assert.rejects(read('HTTP/1.1 100 Continue\r\n\r\n'), ClosedFirst)
    for (const [text, message] of [
      [`${ok}Content-Le`, /in the middle of the headers/],
      [`${ok}Content-Length: 5\r\n\r\n12`, /in the middle of the body: 3 bytes are missing/],
      [`${ok}Transfer-Encoding: chunked\r\n\r\n5\r\n12`, /in the middle of the body/],
      [`${ok}Transfer-Encoding: chunked\r\n\r\n2\r\n12\r\n`, /in the middle of a chunked body/],
    ] as const) {
      await assert.rejects(read(text), message)
    }
  })

  for (const [what, text] of [
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/2', 'HTTP/2 200 OK\r\n\r\n'],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['a header without a colon', `${ok}nonsense\r\n\r\n`],
    ['a header with a blank in its name', `${ok}X A: 1\r\n\r\n`],
    ['two lengths', `${ok}Content-Length: 1\r\nContent-Length: 2\r\n\r\n1`],
    ['a length that is no number', `${ok}Content-Length: +1\r\n\r\n1`],
    ['another transfer coding', `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n`],
    ['a chunk without a size', `${ok}Transfer-Encoding: chunked\r\n\r\nx\r\n`],
    ['a chunk that is longer than its size', `${ok}Transfer-Encoding: chunked\r\n\r\n1\r\n123\r\n`],
  ] as const) {
    it(`with ${what} is malformed`, () => assert.rejects(read(text), Malformed))
  }

  it('with headers of more than 64 KiB is an error that says so', async () => {
    const long = 'x'.repeat(64 * 1024)
    await assert.rejects(read(`${ok}X-Long: ${long}\r\n\r\n`), /larger than 64 KiB/)
    await assert.rejects(read(`${ok}${'X: 1\r\n'.repeat(20_000)}\r\n`), /larger than 64 KiB/)
    await assert.rejects(read(long + long), /larger than 64 KiB/)
  })

  it('is the same in whatever chunks it comes', async () => {
    const texts = [
      `${ok}Content-Length: 5\r\n\r\nhello`,
      `HTTP/1.1 100 C\r\n\r\n${ok}Transfer-Encoding: chunked\r\nX: y\r\n z\r\n\r\n3\r\nabc\r\n2;e\r\nde\r\n0\r\n\r\n`,
      `${ok}\r\nto the end`,
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...texts),
        fc.array(fc.integer({ min: 1, max: 9 })),
        async (text, sizes) => {
          assert.deepEqual(await readResponse(readerOf(text, sizes), 100), await read(text, 100))
        },
      ),
    )
  })

  it('of any bytes is read or rejected with an Error', async () => {
    const part = fc.constantFrom(
      'HTTP/1.1 200 OK\r\n',
      '\r\n',
      'Content-Length: 3\r\n',
      'Transfer-Encoding: chunked\r\n',
      '3\r\n',
      'abc',
      '\0',
      ' ',
      '0\r\n',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part), async (parts) => {
        await read(parts.join('')).catch((error: unknown) => assert.ok(error instanceof Error))
      }),
    )
  })
})
