import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { Received } from '../exchange.ts'
import { parse } from '../wire.ts'
import type { Story } from './messages.ts'

/** Longer than any connection lives whose peer sends nothing more. */
const patienceMs = 20_000

/** Sends a story over its own connection. Resolves with all responses, unless it was reset; rejects if it hangs. */
export async function responsesTo(port: number, { parts, isReset }: Story): Promise<readonly Received[]> {
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
  if (isReset) socket.resetAndDestroy()
  else socket.end()
  await closed
  if (failure && !['ECONNRESET', 'EPIPE'].includes(failure.code ?? '')) throw failure
  return failure || isReset ? [] : [...responsesIn(Buffer.concat(chunks))]
}

function* responsesIn(bytes: Buffer): Generator<Received> {
  for (let rest = bytes; rest.length > 0; ) {
    const isLastHead = rest.indexOf('\r\n\r\n') === rest.length - 4 // nothing follows: the response to a HEAD
    const found = parse(rest, isLastHead ? 'HEAD' : undefined)
    if (!found) throw new Error(`no whole response: ${rest.toString('latin1', 0, 200)}`)
    if (found.response.status !== 100) yield found.response
    rest = rest.subarray(found.length)
  }
}
