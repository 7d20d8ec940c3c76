import type { Credential } from '../steps/step.ts'
import { isObject, type Json } from '../transcript/json.ts'
import { maximumLimit, type Page, pages } from '../transcript/pages.ts'
import { show } from '../transcript/pets.ts'
import {
  isGateway,
  isSuccess,
  type RecordedResponse,
  responses,
  responsesTo,
} from '../transcript/responses.ts'
import type { Exchange, Transcript } from '../transcript/transcript.ts'
import { brokenIn, type FaultKind, fault } from './cause.ts'

/** An operation, how to recognize its requests, and the family of its rules. */
interface Operation {
  readonly name: string
  readonly request: string
  readonly isOne: (request: Exchange['request']) => boolean
  /** Whether an error is no legal response to the request: an id that nobody has returns 404. */
  readonly shouldSucceed: (id: string) => boolean
  readonly family: string
  /** Whether the run learns from its responses what to send next, so that rules of every family depend on it. */
  readonly comesFirst: boolean
}

/** Whether a path is that of listPets and createPet. The suite requests other paths too. */
const isCollection = (target: string): boolean => /^\/pets(?:\?|$)/.test(target)

const operations: readonly Operation[] = [
  {
    name: 'listPets',
    request: 'GET /pets',
    isOne: ({ method, target }) => method === 'GET' && isCollection(target),
    shouldSucceed: () => true,
    family: 'LIST',
    comesFirst: true,
  },
  {
    name: 'getPet',
    request: 'GET /pets/{petId}',
    isOne: ({ method, target }) => method === 'GET' && target.startsWith('/pets/'),
    shouldSucceed: (id) => id === 'get-listed' || id.startsWith('get-created'),
    family: 'GET',
    comesFirst: false,
  },
  {
    name: 'createPet',
    request: 'POST /pets',
    isOne: ({ method, target }) => method === 'POST' && isCollection(target),
    shouldSucceed: () => true,
    family: 'CREATE',
    comesFirst: false,
  },
]

/** Returns a kind of fault that an operation has: the same error for every request with the key, while others differ. */
function failure({ name, request, isOne, shouldSucceed, family, comesFirst }: Operation): FaultKind {
  return fault({
    id: `${name}-fails`,
    least: 2,
    fewest: 2,
    shownBy(transcript) {
      const all = responsesTo(transcript, 'key').filter(
        ({ exchange, response }) => isOne(exchange.request) && ![400, 401, 429].includes(response.status),
      )
      const [status = 0, ...others] = new Set(all.map(({ response }) => response.status))
      const isError = status >= 400 && !isGateway(status) && others.length === 0
      return isError && all.some(({ id }) => shouldSucceed(id)) ? all : []
    },
    title: ({ response }) => `Every ${request} returns ${response.status}`,
    advice: ({ response }) => failureAdvice(response.status),
    explains: ({ id, outcome }) =>
      outcome !== 'not-run' && (id.startsWith(`${family}-`) || (comesFirst && outcome === 'no-evidence')),
  })
}

function failureAdvice(status: number): string {
  if (status === 403) return 'give a key that may use the operation'
  if (status === 404 || status === 405 || status === 501)
    return 'the operation is probably not implemented, or has another path: check the routes'
  return 'look at the log of the deployment'
}

/** The rules about a 401 (section 5), which a missing check of keys breaks. */
const keyRules = brokenIn(
  ...['AUTH-1', 'AUTH-2', 'AUTH-3', 'AUTH-4', 'AUTH-5', 'AUTH-6', 'AUTH-8', 'AUTH-13', 'AUTH-14'],
)
const withoutKey: readonly Credential[] = ['none', 'unknown-key', 'empty-token']

function anonymous(transcript: Transcript): readonly RecordedResponse[] {
  return responses(transcript).filter(({ exchange }) => withoutKey.includes(exchange.credential))
}

/** One operation fails as a whole, or requests without a valid key return something else than a 401. */
export const operationFaults: readonly FaultKind[] = [
  ...operations.map(failure),
  fault({
    id: 'no-authentication',
    least: 2,
    shownBy: (transcript) => anonymous(transcript).filter(({ response }) => isSuccess(response.status)),
    title: (_, served, run) =>
      `Requests without a valid key are served: ${served.length} of ${anonymous(run).length}`,
    advice: 'check the key before the rest of every request, on every route',
    explains: keyRules,
  }),
  fault({
    id: 'unauthorized-status',
    least: 2,
    shownBy(transcript) {
      const all = anonymous(transcript)
      const status = all.map(({ response }) => response.status).find((one) => one >= 300 && one !== 401)
      return all.filter(({ response }) => response.status === status)
    },
    title: ({ response }, wrong, run) =>
      `Requests without a valid key return ${response.status} in place of 401: ${wrong.length} of ${anonymous(run).length}`,
    advice: ({ response }) =>
      response.status === 403
        ? 'return 401 for a missing or unknown key; 403 means that the caller is known'
        : 'check the key first: before the route, the query and the body',
    explains: keyRules,
  }),
]

/** Query parameters that listPets ignores (section 4.1). */
export const queryFaults: readonly FaultKind[] = [
  fault({
    id: 'filter-ignored',
    least: 2,
    fewest: 2,
    shownBy: (transcript) =>
      pages(transcript).flatMap(({ id, elements, status }) => {
        const other = status === undefined ? undefined : otherStatus(elements, status)
        return other === undefined ? [] : [{ id, status, other }]
      }),
    title: ({ status, other }) =>
      `The parameter status is ignored: status=${status} returns an animal that is ${show(other)}`,
    advice: 'filter by the parameter status of the query, spelled like that',
    explains: brokenIn('LIST-12', 'LIST-13', 'LIST-14', 'LIST-16', 'LIST-17'),
  }),
  fault({
    id: 'limit-ignored',
    least: 2,
    fewest: 2,
    shownBy: (transcript) => pages(transcript).filter(isTooLong),
    title: ({ limit, elements }) =>
      `The parameter limit is ignored: limit=${limit} returns ${elements.length} animals`,
    advice: 'return at most so many animals as the parameter limit of the query asks for',
    explains: brokenIn('LIST-8', 'LIST-9', 'LIST-10', 'LIST-11', 'LIST-16', 'LIST-20'),
  }),
]

function isTooLong({ limit, elements }: Page): boolean {
  return (
    limit !== undefined && /^\d{1,4}$/.test(limit) && elements.length > Math.min(Number(limit), maximumLimit)
  )
}

/** Returns the first status of an element that is not the status of the filter. */
function otherStatus(elements: readonly Json[], filter: string): Json | undefined {
  for (const element of elements) {
    const status = isObject(element) ? element.get('status') : undefined
    if (status !== undefined && status !== filter) return status
  }
  return undefined
}
