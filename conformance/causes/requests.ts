import { isCreatePet, isInvalidStep, listCreations, readSentMember } from '../transcript/creations.ts'
import { isSuccess, listResponses, type RecordedResponse, readMember } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { createFaultKind, createRepairableKind, explainsBroken, type FaultKind } from './cause.ts'

/** Faults in how requests are authenticated and validated. */
export const requestFaults: readonly FaultKind[] = [
  createFaultKind({
    id: 'no-authentication',
    minRules: 2,
    findAll: (transcript) =>
      listAnonymousResponses(transcript).filter(({ response }) => isSuccess(response.status)),
    title: (_, served, run) =>
      `${served.length} of ${listAnonymousResponses(run).length} requests without a valid key are served`,
    advice: 'check the API key before everything else, on every route',
    explains: () => explainsBroken(...[1, 2, 3, 4, 5, 6, 8, 13, 14].map((number) => `AUTH-${number}`)),
  }),
  createRepairableKind({
    id: 'validation-status',
    minRules: 2,
    repair({ id, exchange, response: { status } }) {
      const isKeyed = exchange.credential === 'key' && isCreatePet(exchange)
      const isOtherClientError = status > 400 && status < 500 && ![401, 403, 429].includes(status)
      return isKeyed && isInvalidStep(id) && isOtherClientError ? { status: 400 } : undefined
    },
    title: ({ response }, faulty) =>
      `Invalid bodies are rejected with ${response.status} instead of 400, ${faulty.length} in total`,
    advice: 'return 400 for an invalid body; some frameworks return 422 or 415 by default',
  }),
  createFaultKind({
    // Integers are rounded to doubles (section 2).
    id: 'rounded-integers',
    findAll: (transcript) =>
      listCreations(transcript).flatMap((creation) => {
        const sent = readSentMember(creation.exchange, 'categoryId')
        const back = readMember(creation, 'categoryId')
        if (typeof sent !== 'bigint' || sent === back || back !== BigInt(Number(sent))) return []
        return [{ id: creation.id, sent, back }]
      }),
    title: ({ sent, back }) =>
      `Integers are rounded to floating-point numbers: ${sent} is returned as ${back}`,
    advice: 'parse, store and write 64-bit integers without loss; JSON.parse in JavaScript rounds them',
    explains: () => explainsBroken('CREATE-21', 'CREATE-26'),
  }),
]

function listAnonymousResponses(transcript: Transcript): readonly RecordedResponse[] {
  return listResponses(transcript).filter(({ exchange }) =>
    ['none', 'unknown-key', 'empty-token'].includes(exchange.credential),
  )
}
