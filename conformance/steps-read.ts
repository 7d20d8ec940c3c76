import { get, type Known, list, type Step } from './steps.ts'

const listed = (known: Known): string => known.petId ?? '1'

/** What every profile sends first, with the key. */
export const openingSteps: readonly Step[] = [list('list'), list('list-100', '?limit=100')]

/** What every profile sends then, with the key. */
export const readingSteps: readonly Step[] = [
  list('list-1', '?limit=1'),
  list('list-2', '?limit=2'),
  list('list-available', '?status=available'),
  list('list-pending', '?status=pending'),
  list('list-sold', '?status=sold'),
  list('list-available-100', '?status=available&limit=100'),
  list('list-pending-100', '?status=pending&limit=100'),
  list('list-sold-100', '?status=sold&limit=100'),
  { ...list('list-status-1'), target: ({ status }) => `/pets?status=${status}&limit=1` },
  list('limit-0', '?limit=0'),
  list('limit-negative', '?limit=-1'),
  list('limit-101', '?limit=101'),
  list('limit-word', '?limit=abc'),
  list('status-undeclared', '?status=lost'),
  {
    ...get('get-listed', listed),
    when: { text: 'if an animal is listed', holds: ({ petId }) => petId !== undefined },
  },
  get('get-unknown', ({ unknownId }) => unknownId),
  get('get-word', () => 'not-an-id'),
  {
    ...get('get-partial-id', (known) => `${listed(known)}abc`),
    when: { text: 'if an animal is listed', holds: ({ petId }) => petId !== undefined },
  },
]

/** What every profile sends last with the key. Rules compare only animals that the first and the last pages show alike. */
export const closingSteps: readonly Step[] = [list('list-last'), list('list-100-last', '?limit=100')]

/** What every profile sends without a valid key, or with the key in another form. */
export const keylessSteps: readonly Step[] = [
  { ...list('key-other-case'), credential: 'key-other-case' },
  { ...list('other-scheme'), credential: 'other-scheme' },
  { ...list('unknown-key-list'), credential: 'unknown-key' },
  { ...get('unknown-key-get', listed), credential: 'unknown-key' },
  { ...list('empty-token'), credential: 'empty-token' },
  { ...list('no-key-list'), credential: 'none' },
  { ...get('no-key-get', listed), credential: 'none' },
  { ...list('no-key-limit-0', '?limit=0'), credential: 'none' },
  { ...get('no-key-get-unknown', ({ unknownId }) => unknownId), credential: 'none' },
]

/** What `exhaust` sends with the throttle key in the query, and without a header. */
export const keyInQueryStep: Step = { ...list('key-in-query'), credential: 'throttle-key-in-query' }
