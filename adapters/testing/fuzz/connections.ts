import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { Received } from '../exchange.ts'
import { parse } from '../wire.ts'
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
        for (const response of responsesIn(await send(port, one))) judge(response, tally)
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

/** Returns the responses in a row. */
function* responsesIn(bytes: Buffer): Generator<Received> {
  for (let rest = bytes; rest.length > 0; ) {
    const isLastHead = rest.indexOf('\r\n\r\n') === rest.length - 4 // nothing follows: the response to a HEAD
    const found = parse(rest, isLastHead ? 'HEAD' : undefined)
    if (!found) throw new Error(`no whole response: ${rest.toString('latin1', 0, 200)}`)
    if (found.response.status !== 100) yield found.response
    rest = rest.subarray(found.length)
  }
}
