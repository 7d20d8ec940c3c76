import { isGateway, type RecordedResponse, responsesTo } from '../transcript/responses.ts'
import type { Exchange, Transcript } from '../transcript/transcript.ts'
import type { FaultKind } from './cause.ts'

/** An operation, how to recognize its requests, and the family of its rules. */
interface Operation {
  readonly name: string
  readonly request: string
  readonly isOne: (recorded: RecordedResponse) => boolean
  /** Whether an error is no legal response to the request: an id that nobody has returns 404. */
  readonly shouldSucceed: (recorded: RecordedResponse) => boolean
  readonly family: string
  /** Whether the run learns from its responses what to send next, so that rules of every family depend on it. */
  readonly comesFirst: boolean
}

/** Whether a path is that of listPets and createPet. The suite requests other paths too. */
const isCollection = ({ target }: Exchange['request']): boolean => /^\/pets(?:\?|$)/.test(target)

const operations: readonly Operation[] = [
  {
    name: 'listPets',
    request: 'GET /pets',
    isOne: ({ exchange: { request } }) => request.method === 'GET' && isCollection(request),
    shouldSucceed: () => true,
    family: 'LIST',
    comesFirst: true,
  },
  {
    name: 'getPet',
    request: 'GET /pets/{petId}',
    isOne: ({ exchange: { request } }) => request.method === 'GET' && request.target.startsWith('/pets/'),
    shouldSucceed: ({ id }) => id === 'get-listed' || id.startsWith('get-created'),
    family: 'GET',
    comesFirst: false,
  },
  {
    name: 'createPet',
    request: 'POST /pets',
    isOne: ({ exchange: { request } }) => request.method === 'POST' && isCollection(request),
    shouldSucceed: () => true,
    family: 'CREATE',
    comesFirst: false,
  },
]

/** One operation returns the same error to every request with the key, while others do not. */
export const operationFaults: readonly FaultKind[] = operations.map(
  ({ name, request, isOne, shouldSucceed, family, comesFirst }) => ({
    id: `${name}-fails`,
    least: 2,
    find(transcript: Transcript) {
      const all = responsesTo(transcript, 'key').filter(
        (recorded) => isOne(recorded) && ![400, 401, 429].includes(recorded.response.status),
      )
      const [first, ...others] = all
      const status = first?.response.status
      if (first === undefined || status === undefined || status < 400 || isGateway(status)) return undefined
      const hasOneStatus = others.every(({ response }) => response.status === status)
      if (others.length === 0 || !hasOneStatus || !all.some(shouldSucceed)) return undefined
      return {
        title: `Every ${request} returns ${status}`,
        advice: adviceFor(status),
        exchanges: all.map(({ id }) => id),
        explains: {
          kind: 'condition',
          holds: ({ id, outcome }) =>
            outcome !== 'not-run' &&
            (id.startsWith(`${family}-`) || (comesFirst && outcome === 'no-evidence')),
        },
      }
    },
  }),
)

function adviceFor(status: number): string {
  if (status === 403) return 'give a key that may use the operation'
  if (status === 404 || status === 405 || status === 501)
    return 'the operation is probably not implemented, or has another path: check the routes'
  return 'look at the log of the deployment'
}
