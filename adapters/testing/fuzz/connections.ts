import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { joined, type Received } from '../exchange.ts'
import { judge, type Tally } from './judge.ts'
import { message, toWire } from './messages.ts'
import type { Random } from './random.ts'

/** Longer than any connection lives whose peer sends nothing more. */
const patienceMs = 20_000

/** Opens `count` connections with some requests each, and judges every response. */
export async function fuzzConnections(
  port: number,
  random: Random,
  count: number,
  tally: Tally,
): Promise<void> {
  const stories = Array.from({ length: count }, () => story(random))
  await Promise.all(
    stories.map(async (one) => {
      try {
        for (const response of parse(await send(port, one))) judge(response, tally)
      } catch (cause) {
        throw new Error(
          `a connection failed on ${JSON.stringify(Buffer.concat(one.parts).toString('latin1'))}`,
          { cause },
        )
      }
    }),
  )
}

/** The parts that a peer sends, and how it closes. */
interface Story {
  readonly parts: readonly Uint8Array[]
  readonly ending: 'end' | 'reset'
}

function story(random: Random): Story {
  const bytes = Buffer.concat(
    Array.from({ length: 1 + random.below(4) }, () => toWire(random, message(random))),
  )
  const cut = random.below(bytes.length + 1)
  const parts = random.chance(0.5) ? [bytes] : [bytes.subarray(0, cut), bytes.subarray(cut)]
  return { parts, ending: random.chance(0.9) ? 'end' : 'reset' }
}

/** Sends a story. Resolves with all bytes that the server sent. */
async function send(port: number, { parts, ending }: Story): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const chunks: Buffer[] = []
  let failure: NodeJS.ErrnoException | undefined
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', (error) => {
    failure = error
  })
  socket.on('end', () => socket.end())
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('the connection hangs')))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const part of parts) {
    socket.write(part)
    await turn()
  }
  if (ending === 'end') socket.end()
  else socket.resetAndDestroy()
  await closed
  if (failure && !['ECONNRESET', 'EPIPE'].includes(failure.code ?? '')) throw failure
  return Buffer.concat(failure || ending === 'reset' ? [] : chunks)
}

/** Returns the responses in a row. Responses to HEAD are recognised, since no JSON begins as a response does. */
function* parse(bytes: Buffer): Generator<Received> {
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n')
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]
    if (end < 0 || !status) throw new Error(`no response: ${rest.toString('latin1', 0, 200)}`)
    rest = rest.subarray(end + 4)
    if (status === '100') continue
    const headers = joined(
      lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const isBodiless = rest.length === 0 || rest.toString('latin1', 0, 7) === 'HTTP/1.'
    const length = isBodiless ? 0 : Number(headers.get('content-length'))
    if (rest.length < length) throw new Error(`a response is cut off: ${rest.toString('latin1', 0, 200)}`)
    yield { status: Number(status), headers, text: rest.toString('utf8', 0, length) }
    rest = rest.subarray(length)
  }
}
