import { get, type Known, list, type Step } from './steps.ts'

/** A request that creates an animal. NAME, CATEGORY and ID in its body stand for values of the run. */
interface Creation {
  readonly id: string
  /** The end of the name of the animal: letters and spaces. With the marker, a name has at most 24 characters. */
  readonly tag?: string
  /** The text of the body; without it, the request has no body. */
  readonly body?: string
}

const pet = '"name":NAME,"categoryId":CATEGORY'

/** Valid bodies. Two are `sold`, so that a store that was empty has two animals of one status. */
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

/** A valid body that is declared as another media type than JSON. */
const textBody: Creation = { id: 'create-text-plain', tag: 'typed', body: `{${pet}}` }

/** Bodies that are invalid in one way each (section 4.2). */
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

/** Gets the first new animal; once more after a second if it is not found at first. */
const createdSteps: readonly Step[] = [
  {
    ...get('get-created', created),
    when: { text: 'if a creation was accepted', holds: ({ createdId }) => createdId !== undefined },
  },
  {
    ...get('get-created-again', created),
    after: 1000,
    when: {
      text: 'if the animal is not found at first',
      holds: ({ createdId, createdIsServed }) => createdId !== undefined && !createdIsServed,
    },
  },
]

/** What `create` sends after the first pages. Later pages show the new animals of valid bodies, and no others. */
export const creatingSteps: readonly Step[] = [
  ...validBodies.map((body) => post(body, 'valid')),
  { ...post(textBody, 'valid'), contentType: 'text/plain' },
  ...createdSteps,
  ...invalidBodies.map((body) => post(body, 'invalid')),
  list('list-100-after', '?limit=100'),
]

/** What `create` sends after the filtered pages: gets an animal that they do not show, to see whether it has changed. */
export const createdAfterStep: Step = {
  ...get('get-created-after', (known) => known.missingId ?? created(known)),
  when: { text: 'if a creation was accepted', holds: ({ createdId }) => createdId !== undefined },
}

/** What `create` sends without a valid key. */
export const keylessCreatingSteps: readonly Step[] = [
  {
    ...post({ id: 'unknown-key-create', tag: 'unknown', body: `{${pet}}` }, 'valid'),
    credential: 'unknown-key',
  },
  { ...post({ id: 'unknown-key-create-invalid', body: '{}' }, 'invalid'), credential: 'unknown-key' },
  { ...post({ id: 'no-key-create', tag: 'anonymous', body: `{${pet}}` }, 'valid'), credential: 'none' },
  { ...post({ id: 'no-key-create-invalid', body: '{}' }, 'invalid'), credential: 'none' },
]
