import { mostRepaired } from '../transcript/bounds.ts'
import { type RecordedResponse, responses } from '../transcript/responses.ts'
import type { ReceivedResponse, Transcript } from '../transcript/transcript.ts'
import type { Fault, Words } from './cause.ts'

/** What a repair changes of a response. */
export type Repair = Partial<Pick<ReceivedResponse, 'status' | 'headers' | 'body'>>

/**
 * Returns a fault that some responses have, with a transcript in which they are repaired.
 *
 * @param repair Returns the repair of a response, or `undefined` if the response does not have the fault.
 * @param words Returns the title and the advice, given the responses that have the fault.
 * @returns `undefined` if no response has the fault, or if the bodies of the run are too large to judge them twice.
 */
export function repairable(
  transcript: Transcript,
  repair: (recorded: RecordedResponse) => Repair | undefined,
  words: (faulty: readonly [RecordedResponse, ...RecordedResponse[]]) => Words,
): Fault | undefined {
  const all = responses(transcript)
  if (all.reduce((sum, { response }) => sum + response.body.length, 0) > mostRepaired) return undefined
  const repairs = new Map(
    all.flatMap((recorded) => {
      const change = repair(recorded)
      return change === undefined ? [] : [[recorded.exchange, { recorded, change }] as const]
    }),
  )
  const [first, ...others] = [...repairs.values()].map(({ recorded }) => recorded)
  if (first === undefined) return undefined
  const exchanges = transcript.exchanges.map((exchange) => {
    const found = repairs.get(exchange)
    if (found === undefined) return exchange
    const response = { ...found.recorded.response, ...found.change }
    return { ...exchange, outcome: { kind: 'response', response } as const }
  })
  return {
    ...words([first, ...others]),
    exchanges: [first, ...others].map(({ id }) => id),
    explains: { kind: 'repair', repaired: { ...transcript, exchanges } },
  }
}

/** Returns headers in which one has another value; it is added if it is missing. */
export function withHeader(
  { headers }: ReceivedResponse,
  name: string,
  value: string,
): ReceivedResponse['headers'] {
  return [...headers.filter(([other]) => other !== name), [name, value]]
}
