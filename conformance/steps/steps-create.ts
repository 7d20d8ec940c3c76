import {
  type Body,
  invalidBodies,
  largeCategory,
  nulName,
  onceBody,
  ordinaryBodies,
  plainPet,
  smallCategory,
  textBody,
  unusualBodies,
} from './bodies.ts'
import { get, type Known, list, type Step } from './step.ts'
import { createdValues, pageAfterCreations, pageRules } from './steps-read.ts'

function post({ id, tag = '', text, judgedBy }: Body, creates: 'valid' | 'invalid'): Step {
  const fill = ({ marker, categoryId, otherCategoryId, requestedId }: Known, body: string): string =>
    body
      .replace('CATEGORY', categoryId)
      .replace('OTHER', otherCategoryId)
      .replace('ID', requestedId)
      // the last one, as a name may have any text
      .replace('NAME', () => JSON.stringify(`${marker} ${tag}`))
  const common = { id, credential: 'key', method: 'POST', target: () => '/pets', creates } as const
  const step = { ...common, ...(judgedBy && { judgedBy }) }
  return text === undefined ? step : { ...step, body: (known) => fill(known, text) }
}

const valid = (body: Body): Step => ({ ...post(body, 'valid'), teaches: createdValues })
const invalid = (body: Body): Step => post(body, 'invalid')

/** What `create` sends after the first pages. Later pages show the new animals of valid bodies, and no others. */
export const creatingSteps: readonly Step[] = [
  ...ordinaryBodies.map((body): Step => ({ ...valid(body), isOrdinary: true })),
  { ...valid(largeCategory), teaches: [...createdValues, 'largeIsRejected'] },
  {
    ...valid(smallCategory),
    alternative: true,
    when: {
      text: 'if the large categoryId is rejected with 400',
      holds: ({ largeIsRejected }) => largeIsRejected,
    },
  },
  ...unusualBodies.map(valid),
  ...invalidBodies.map(invalid),
  pageAfterCreations,
]

const created = (known: Known): string => known.createdId ?? '1'

/** What `create` sends after the filtered pages, to see what they and getPet show of the new animals. */
export const createdSteps: readonly Step[] = [
  ...(['available', 'pending', 'sold'] as const).map(
    (status): Step => ({
      ...list(`list-${status}-again`, `?status=${status}&limit=100`, pageRules),
      after: 2000,
      when: {
        text: 'if the page of its status does not show a new animal as it was sent',
        holds: ({ doubtfulStatuses }) => doubtfulStatuses.includes(status),
      },
    }),
  ),
  {
    ...get('get-created', created, ['GET-4', 'CREATE-7']),
    teaches: ['createdIsServed'],
    when: { text: 'if a creation was accepted', holds: ({ createdId }) => createdId !== undefined },
  },
  {
    ...get('get-created-again', created, ['GET-4', 'CREATE-7']),
    after: 1000,
    when: {
      text: 'if getPet does not return it as it was sent',
      holds: ({ createdId, createdIsServed }) => createdId !== undefined && !createdIsServed,
    },
  },
]

/** What `create` sends without a valid key. */
export const keylessCreatingSteps: readonly Step[] = [
  { ...post({ id: 'unknown-key-create-invalid', text: '{}' }, 'invalid'), credential: 'unknown-key' },
  {
    ...post({ id: 'unknown-key-create', tag: 'unk', text: plainPet, judgedBy: ['AUTH-6'] }, 'valid'),
    credential: 'unknown-key',
  },
  {
    ...post({ id: 'no-key-create', tag: 'ano', text: plainPet, judgedBy: ['AUTH-3'] }, 'valid'),
    credential: 'none',
  },
  { ...post({ id: 'no-key-create-invalid', text: '{}' }, 'invalid'), credential: 'none' },
]

/** What `create` sends late with the key, if its bound leaves room, and only to see that it causes no 5xx. */
export const oddStep: Step = { ...invalid(nulName), spare: true }

const once: Step = { ...post(onceBody, 'valid'), spare: true, idempotencyKey: uuid }

/** What `create` sends last with the key, if its bound leaves room, and only to observe it. */
export const observingSteps: readonly Step[] = [
  { ...once, teaches: ['onceIsAccepted'] },
  {
    ...once,
    id: 'create-once-again',
    repeats: 'create-once',
    when: {
      text: 'if it was accepted, and the large categoryId too',
      holds: ({ onceIsAccepted, largeIsRejected }) => onceIsAccepted && !largeIsRejected,
    },
  },
  {
    id: 'method-unknown',
    credential: 'key',
    method: 'POST',
    target: ({ unknownId }) => `/pets/${unknownId}`,
    isOutside: true,
    spare: true,
  },
  { ...post(textBody, 'valid'), spare: true, contentType: 'text/plain' },
  // shows what a server that rejects the body without reading it leaves on the connection
  { ...list('list-1-after-text', '?limit=1'), spare: true },
]

/** Returns a UUID that the random ids of the run determine (RFC 9562, version 8). */
function uuid({ unknownId, requestedId }: Known): string {
  const digits = [unknownId, requestedId].map((id) => BigInt(id).toString(16).padStart(16, '0')).join('')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
}
