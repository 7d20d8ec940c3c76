import type { RunOptions } from '../index.ts'
import { createDeadline } from '../network/deadline.ts'
import { createTransport } from '../run/default-transport.ts'
import { readOptions } from '../run/options.ts'
import { mostOfBody } from '../transcript/bounds.ts'
import { printable } from '../transcript/printable.ts'
import type { Sink } from './process-context.ts'

/** The time between two requests, in milliseconds. */
const pause = 500
/** What a gateway returns while there is no deployment behind it. */
const away: readonly number[] = [502, 503, 504]

/**
 * Waits for a deployment that is starting: requests a list, without a key, until there is a response that is not from a
 * gateway without a deployment, or the time is over. The run that follows shows what is there then.
 *
 * @param most The longest time, in milliseconds.
 */
export async function waitFor(
  options: RunOptions,
  most: number,
  sink: Sink,
  signal: AbortSignal,
): Promise<void> {
  const settings = readOptions(options)
  const { baseUrl, clock, timeoutMs } = settings
  const transport = await createTransport(settings)
  const end = clock.now() + most
  try {
    for (let n = 0; !signal.aborted; n++) {
      const left = end - clock.now()
      if (left <= 0) return
      const deadline = createDeadline(Math.min(left, timeoutMs))
      const received = await transport.send({
        method: 'GET',
        url: new URL(`${baseUrl}/pets?limit=1`),
        headers: settings.headers.map(({ name, value }) => [name, value]),
        body: undefined,
        connection: 'own',
        most: mostOfBody,
        deadline,
      })
      deadline.clear()
      if (received.kind === 'response' && !away.includes(received.status)) return
      if (n === 0) sink.write(`waiting up to ${most / 1000} s for ${printable(baseUrl)}\n`)
      await clock.sleep(Math.min(pause, Math.max(0, end - clock.now())), undefined, signal)
    }
  } finally {
    transport.close()
  }
}
