import { get, type Known, list, type Step } from './steps.ts'

const named = ({ marker }: Known, tag: string): string => JSON.stringify(`${marker} ${tag}`)

/** The text of a body, from an animal's name and a valid category. */
type Body = (name: string, categoryId: string, known: Known) => string

/** A creation. The tag ends the animal's name: letters and spaces, 24 characters with the run's marker. */
function post(id: string, creates: 'valid' | 'invalid', tag: string, body: Body): Step {
  return {
    id,
    credential: 'key',
    method: 'POST',
    target: () => '/pets',
    body: (known) => body(named(known, tag), known.categoryId, known),
    creates,
  }
}

const pet: Body = (name, categoryId) => `{"name":${name},"categoryId":${categoryId}}`
const petWith =
  (member: (known: Known) => string): Body =>
  (name, categoryId, known) =>
    `{"name":${name},"categoryId":${categoryId},${member(known)}}`
const inCategory =
  (text: (categoryId: string) => string): Body =>
  (name, categoryId, known) =>
    pet(name, text(categoryId), known)

const createText: Step = post('create-text-plain', 'valid', 'typed', pet)

/** Bodies that the spec allows; the last is declared as something else than JSON. */
const validSteps: readonly Step[] = [
  post(
    'create-available',
    'valid',
    'available',
    petWith(() => '"status":"available"'),
  ),
  post(
    'create-pending',
    'valid',
    'pending',
    petWith(() => '"status":"pending"'),
  ),
  post(
    'create-sold',
    'valid',
    'sold',
    petWith(() => '"status":"sold"'),
  ),
  post('create-no-status', 'valid', 'plain', pet),
  post(
    'create-int64',
    'valid',
    'int',
    inCategory(() => '9007199254740993'),
  ),
  post('create-scripts', 'valid', 'Łucja Ωμέγα Кот 猫𠮷 שלום', pet),
  post(
    'create-own-id',
    'valid',
    'own id',
    petWith(({ wantedId }) => `"id":${wantedId}`),
  ),
  post(
    'create-unknown-member',
    'valid',
    'member',
    petWith(() => '"nickname":"Spot"'),
  ),
  { ...createText, contentType: 'text/plain' },
]

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

const emptyPost: Step = { id: 'refuse-no-body', credential: 'key', method: 'POST', target: () => '/pets' }

/** Bodies with one fault each (section 4.2). */
const invalidSteps: readonly Step[] = [
  post('refuse-empty-object', 'invalid', '', () => '{}'),
  post('refuse-no-name', 'invalid', '', (_, categoryId) => `{"categoryId":${categoryId}}`),
  post('refuse-no-category', 'invalid', 'missing', (name) => `{"name":${name}}`),
  post('refuse-name-number', 'invalid', '', (_, ...rest) => pet('7', ...rest)),
  post(
    'refuse-category-text',
    'invalid',
    'text',
    inCategory((id) => `"${id}"`),
  ),
  post(
    'refuse-category-fraction',
    'invalid',
    'fraction',
    inCategory((id) => `${id}.5`),
  ),
  post(
    'refuse-status',
    'invalid',
    'lost',
    petWith(() => '"status":"lost"'),
  ),
  post('refuse-malformed', 'invalid', 'malformed', (...parts) => pet(...parts).slice(0, -1)),
  { ...emptyPost, creates: 'invalid' },
  post('refuse-array', 'invalid', 'array', (...parts) => `[${pet(...parts)}]`),
  post('refuse-nulls', 'invalid', '', () => '{"name":null,"categoryId":null}'),
  post(
    'refuse-beyond-int64',
    'invalid',
    'beyond',
    inCategory(() => '9223372036854775808'),
  ),
]

/** The pages that are to show what was created, and nothing of what was refused. */
const afterwards: readonly Step[] = [
  list('list-available-after', '?status=available&limit=100'),
  list('list-pending-after', '?status=pending&limit=100'),
  list('list-sold-after', '?status=sold&limit=100'),
  {
    ...get('get-created-after', ({ missingId, createdId }) => missingId ?? createdId ?? '1'),
    when: { says: 'if a creation was accepted', holds: ({ createdId }) => createdId !== undefined },
  },
]

/** What `create` adds with the key. */
export const creatingSteps: readonly Step[] = [...validSteps, ...createdSteps, ...invalidSteps, ...afterwards]

/** What `create` adds without a key that is valid. */
export const keylessCreatingSteps: readonly Step[] = [
  { ...post('unknown-key-create', 'valid', 'unknown', pet), credential: 'unknown-key' },
  { ...post('no-key-create', 'valid', 'nobody', pet), credential: 'none' },
]
