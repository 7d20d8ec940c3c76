import { creations, isInvalid, isPost, readSentMember } from '../transcript/creations.ts'
import { isSuccess, type RecordedResponse, readMember, responses } from '../transcript/responses.ts'
import { isServerError, type Transcript } from '../transcript/transcript.ts'
import { brokenIn, type FaultKind, fault, repairable } from './cause.ts'

/** Faults in reading the key and the body of a request (sections 4.2 and 5). */
export const requestFaults: readonly FaultKind[] = [
  fault({
    id: 'no-authentication',
    least: 2,
    shownBy: (transcript) => anonymous(transcript).filter(({ response }) => isSuccess(response.status)),
    title: (_, served, run) =>
      `Requests without a valid key are served: ${served.length} of ${anonymous(run).length}`,
    advice: 'check the key before the rest of every request, on every route',
    explains: () => brokenIn(...[1, 2, 3, 4, 5, 6, 8, 13, 14].map((number) => `AUTH-${number}`)),
  }),
  repairable({
    id: 'validation-status',
    least: 2,
    repair({ id, exchange, response: { status } }) {
      const isKeyed = exchange.credential === 'key' && isPost(exchange)
      const isOther = status > 400 && status < 500 && ![401, 403, 429].includes(status)
      return isKeyed && isInvalid(id) && isOther ? { status: 400 } : undefined
    },
    title: ({ response }, faulty) =>
      `Invalid bodies are rejected with ${response.status} instead of 400: ${faulty.length} of them`,
    advice: 'return 400 for a body that is not valid; some frameworks return 422 or 415 by default',
  }),
  fault({
    id: 'unread-body',
    shownBy: ({ exchanges }) =>
      exchanges.filter(({ leftover }, n) => {
        const before = exchanges[n - 1]
        if (leftover === undefined || isServerError(leftover) || before === undefined) return false
        return isPost(before) && before.credential !== 'key'
      }),
    title: (first) =>
      `The body of a rejected createPet stays on its connection: the next request returned ${first.leftover}`,
    advice: 'read the body, or close the connection, also where the key is rejected',
    explains: () => brokenIn('AUTH-17'),
  }),
  fault({
    // an int64 that a double cannot represent is returned as the double next to it (section 2)
    id: 'rounded-integers',
    shownBy: (transcript) =>
      creations(transcript).flatMap((creation) => {
        const sent = readSentMember(creation.exchange, 'categoryId')
        const back = readMember(creation, 'categoryId')
        if (typeof sent !== 'bigint' || sent === back || back !== BigInt(Number(sent))) return []
        return [{ id: creation.id, sent, back }]
      }),
    title: ({ sent, back }) =>
      `Integers pass through a floating-point number: ${sent} is returned as ${back}`,
    advice: 'parse, store and write 64-bit integers as such; JSON.parse of JavaScript rounds them',
    explains: () => brokenIn('CREATE-21', 'CREATE-26'),
  }),
]

function anonymous(transcript: Transcript): readonly RecordedResponse[] {
  return responses(transcript).filter(({ exchange }) =>
    ['none', 'unknown-key', 'empty-token'].includes(exchange.credential),
  )
}
