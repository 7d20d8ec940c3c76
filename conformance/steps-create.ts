import { get, type Known, list, type Step } from './steps.ts'

/** A creation: the text of its body, with NAME, CATEGORY and ID in the place of what the run knows. */
interface Creation {
  readonly id: string
  /** Ends the animal's name: letters and spaces, at most 24 characters with the run's marker. */
  readonly tag?: string
  /** Absent: no body at all. */
  readonly body?: string
}

const pet = '"name":NAME,"categoryId":CATEGORY'

/** Bodies that the spec allows. Two are sold, so that an empty store comes to hold two of a kind. */
const validBodies: readonly Creation[] = [
  { id: 'create-available', tag: 'available', body: `{${pet},"status":"available"}` },
  { id: 'create-pending', tag: 'pending', body: `{${pet},"status":"pending"}` },
  { id: 'create-sold', tag: 'sold', body: `{${pet},"status":"sold"}` },
  { id: 'create-no-status', tag: 'plain', body: `{${pet}}` },
  { id: 'create-int64', tag: 'int', body: '{"name":NAME,"categoryId":9007199254740993,"status":"sold"}' },
  { id: 'create-scripts', tag: 'Łucja Ωμέγα Кот 猫𠮷 שלום', body: `{${pet}}` },
  { id: 'create-own-id', tag: 'own id', body: `{${pet},"id":ID}` },
  { id: 'create-unknown-member', tag: 'member', body: `{${pet},"nickname":"Spot"}` },
]

/** A valid body that is declared as something else than JSON. */
const textBody: Creation = { id: 'create-text-plain', tag: 'typed', body: `{${pet}}` }

/** Bodies with one fault each (section 4.2). */
const invalidBodies: readonly Creation[] = [
  { id: 'refuse-empty-object', body: '{}' },
  { id: 'refuse-no-name', body: '{"categoryId":CATEGORY}' },
  { id: 'refuse-no-category', tag: 'missing', body: '{"name":NAME}' },
  { id: 'refuse-name-number', body: '{"name":7,"categoryId":CATEGORY}' },
  { id: 'refuse-category-text', tag: 'text', body: '{"name":NAME,"categoryId":"CATEGORY"}' },
  { id: 'refuse-category-fraction', tag: 'fraction', body: '{"name":NAME,"categoryId":CATEGORY.5}' },
  { id: 'refuse-status', tag: 'lost', body: `{${pet},"status":"lost"}` },
  { id: 'refuse-malformed', tag: 'malformed', body: `{${pet}` },
  { id: 'refuse-no-body' },
  { id: 'refuse-array', tag: 'array', body: `[{${pet}}]` },
  { id: 'refuse-nulls', body: '{"name":null,"categoryId":null}' },
  { id: 'refuse-beyond-int64', tag: 'beyond', body: '{"name":NAME,"categoryId":9223372036854775808}' },
]

function post({ id, tag = '', body }: Creation, creates: 'valid' | 'invalid'): Step {
  const fill = ({ marker, categoryId, requestedId }: Known, text: string): string =>
    text
      .replace('NAME', JSON.stringify(`${marker} ${tag}`))
      .replace('CATEGORY', categoryId)
      .replace('ID', requestedId)
  const step = { id, credential: 'key', method: 'POST', target: () => '/pets', creates } as const
  return body === undefined ? step : { ...step, body: (known) => fill(known, body) }
}

const created = (known: Known): string => known.createdId ?? '1'

/** getPet serves what was created; asked once more after a second, for those that are slow to show it. */
const createdSteps: readonly Step[] = [
  {
    ...get('get-created', created),
    when: { says: 'if a creation was accepted', holds: ({ createdId }) => createdId !== undefined },
  },
  {
    ...get('get-created-again', created),
    after: 1000,
    when: {
      says: 'if at first it is not served',
      holds: ({ createdId, createdIsServed }) => createdId !== undefined && !createdIsServed,
    },
  },
]

/** What `create` adds once it has seen the first pages: what follows is to show what was created, and no more. */
export const creatingSteps: readonly Step[] = [
  ...validBodies.map((body) => post(body, 'valid')),
  { ...post(textBody, 'valid'), contentType: 'text/plain' },
  ...createdSteps,
  ...invalidBodies.map((body) => post(body, 'invalid')),
  list('list-100-after', '?limit=100'),
]

/** What `create` adds once it has seen the filtered pages: whether an animal that they do not show is as it was. */
export const createdAfterStep: Step = {
  ...get('get-created-after', (known) => known.missingId ?? created(known)),
  when: { says: 'if a creation was accepted', holds: ({ createdId }) => createdId !== undefined },
}

/** What `create` adds without a key that is valid. */
export const keylessCreatingSteps: readonly Step[] = [
  {
    ...post({ id: 'unknown-key-create', tag: 'unknown', body: `{${pet}}` }, 'valid'),
    credential: 'unknown-key',
  },
  { ...post({ id: 'no-key-create', tag: 'nobody', body: `{${pet}}` }, 'valid'), credential: 'none' },
]
