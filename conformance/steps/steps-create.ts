import { get, type Known, list, type Step } from './step.ts'
import { smallPages } from './steps-read.ts'

/**
 * Returns a step that creates an animal with the key.
 *
 * @param tag The end of the name of the animal. If the name is not under test, it has three letters, and the name at
 * most 12 characters.
 * @param text The body. NAME, CATEGORY, OTHER and ID in it stand for values of the run; absent for a request without a
 * body.
 */
function post(creates: 'valid' | 'invalid', id: string, tag = '', text?: string): Step {
  const fill = ({ marker, categoryId, otherCategoryId, requestedId }: Known, body: string): string =>
    body
      .replace('CATEGORY', categoryId)
      .replace('OTHER', otherCategoryId)
      .replace('ID', requestedId)
      // the last one, as a name may have any text
      .replace('NAME', () => JSON.stringify(`${marker} ${tag}`))
  return {
    id,
    credential: 'key',
    method: 'POST',
    target: () => '/pets',
    creates,
    ...(text !== undefined && { body: (known) => fill(known, text) }),
  }
}

/** Returns a step whose body has ordinary values. */
function ordinary(id: string, tag: string, text: string): Step {
  return { ...post('valid', id, tag, text), isOrdinary: true }
}

/** Returns a step whose body a rule requires to be rejected. */
function invalid(rule: string, id: string, text?: string, tag?: string): Step {
  return { ...post('invalid', id, tag, text), rule }
}

const pet = '"name":NAME,"categoryId":CATEGORY'
/** A valid body without a status. */
const plainPet = `{${pet}}`

/** The ends of the names under test. */
export const unusual = {
  /** Letters of several scripts. */
  scripts: 'ŁΩК猫𠮷ש',
  /** Characters that languages of markup and of queries escape. */
  punctuation: '&<"\'',
  /** Characters that other languages and URLs escape, and a space at the end of the name. */
  escapes: '\\ %41 ',
} as const

/**
 * Valid bodies. Later pages show the new animals. On an empty store, they come behind the first pages, so that there
 * are animals to list.
 */
export const creatingSteps: readonly Step[] = [
  ordinary('create-available', 'ava', `{${pet},"status":"available"}`),
  ordinary('create-pending', 'pen', `{${pet},"status":"pending"}`),
  ordinary('create-sold', 'sol', `{${pet},"status":"sold"}`),
  // sent again later: the header changes nothing of the first response
  { ...ordinary('create-no-status', 'non', plainPet), idempotencyKey: uuid },
  // no double holds the category; the second `sold` one, so that an empty store has two animals of one status
  post('valid', 'create-int64', 'big', '{"name":NAME,"categoryId":9007199254740993,"status":"sold"}'),
  // a category that is new and small, instead of the large one
  {
    ...post('valid', 'create-small-category', 'sml', '{"name":NAME,"categoryId":OTHER,"status":"sold"}'),
    alternative: true,
    when: {
      text: 'if the large categoryId is rejected with 400',
      holds: ({ largeIsRejected }) => largeIsRejected,
    },
  },
  // bodies that a deployment may reject because of limits that the interface leaves open
  post(
    'valid',
    'create-unusual-name',
    `${unusual.scripts} ${unusual.punctuation}`,
    `{${pet},"status":"pending"}`,
  ),
  post('valid', 'create-escapes-name', `esc ${unusual.escapes}`, `{${pet},"status":"pending"}`),
  post('valid', 'create-own-id', 'own', `{${pet},"id":ID,"nickname":"Spot"}`),
]

/**
 * Bodies that are invalid in one way each (section 4.2). The first ones show each way, the others the same ways again.
 */
export const invalidSteps: readonly Step[] = [
  invalid('CREATE-9', 'refuse-empty-object', '{}'),
  invalid('CREATE-10', 'refuse-no-name', '{"categoryId":CATEGORY}'),
  invalid('CREATE-11', 'refuse-no-category', '{"name":NAME}', 'mis'),
  invalid('CREATE-12', 'refuse-name-number', '{"name":7,"categoryId":CATEGORY}'),
  invalid('CREATE-13', 'refuse-category-text', '{"name":NAME,"categoryId":"CATEGORY"}', 'txt'),
  invalid('CREATE-14', 'refuse-category-fraction', '{"name":NAME,"categoryId":CATEGORY.5}', 'fra'),
  invalid('CREATE-15', 'refuse-status', `{${pet},"status":"lost"}`, 'los'),
  invalid('CREATE-16', 'refuse-malformed', `{${pet}`, 'mal'),
  invalid('CREATE-17', 'refuse-no-body'),
  invalid('CREATE-18', 'refuse-array', `[${plainPet}]`, 'arr'),
  invalid('CREATE-19', 'refuse-nulls', '{"name":null,"categoryId":null}'),
  invalid('CREATE-20', 'refuse-beyond-int64', '{"name":NAME,"categoryId":9223372036854775808}', 'bey'),
  invalid('CREATE-13', 'refuse-category-true', '{"name":NAME,"categoryId":true}', 'tru'),
  invalid('CREATE-13', 'refuse-category-false', '{"name":NAME,"categoryId":false}', 'fal'),
  invalid('CREATE-13', 'refuse-category-empty', '{"name":NAME,"categoryId":""}', 'emp'),
  invalid('CREATE-16', 'refuse-trailing', `${plainPet} {"a":1}`, 'trl'),
  invalid('CREATE-16', 'refuse-trailing-comma', `{${pet},}`, 'com'),
  invalid('CREATE-18', 'refuse-null', 'null'),
  invalid('CREATE-18', 'refuse-number', '5'),
  invalid('CREATE-18', 'refuse-string', '"x"'),
  invalid('CREATE-19', 'refuse-null-name', '{"name":null,"categoryId":CATEGORY}'),
  invalid('CREATE-19', 'refuse-null-category', '{"name":NAME,"categoryId":null}', 'nul'),
  invalid('CREATE-20', 'refuse-below-int64', '{"name":NAME,"categoryId":-9223372036854775809}', 'blw'),
  invalid('CREATE-15', 'refuse-status-capitals', `{${pet},"status":"SOLD"}`, 'cap'),
  invalid('CREATE-15', 'refuse-status-empty', `{${pet},"status":""}`, 'ste'),
  invalid('CREATE-27', 'refuse-status-null', `{${pet},"status":null}`, 'snu'),
  invalid('CREATE-27', 'refuse-status-number', `{${pet},"status":7}`, 'sno'),
]

/** The first page behind the creations, if no page before shows an animal with a status. */
export const pageAfterCreations: Step = {
  ...list('list-100-after', '?limit=100'),
  when: {
    text: 'if no animal with a status is listed',
    holds: ({ status }) => status === undefined,
  },
}

/** The page with a filter and a limit, if the listed animals did not decide what it shows. */
export const newFilteredPage: Step = {
  ...list('list-new-status-1', ''),
  target: ({ newStatus }) => `/pets?status=${newStatus}&limit=1`,
  alternative: true,
  when: {
    text: 'if the page with a filter and a limit was not sent',
    holds: ({ statusWasFiltered }) => !statusWasFiltered,
  },
}

const created = (known: Known): string => known.createdId ?? '1'

/** Returns a step that requests a page again after two seconds, as pages may lag. */
function again(id: string, query: string, status?: string): Step {
  const page = status === undefined ? 'without a filter' : 'of its status'
  return {
    ...list(id, query),
    after: 2000,
    when: {
      text: `if the page ${page} does not show a new animal as it was sent`,
      holds: ({ doubtfulPages }) => doubtfulPages.includes(status),
    },
  }
}

/**
 * Requests of the profile `create` after the last pages: a second read of each page that did not show a new animal as it
 * was sent, and getPet.
 */
export const createdSteps: readonly Step[] = [
  again('list-available-again', '?status=available&limit=100', 'available'),
  again('list-pending-again', '?status=pending&limit=100', 'pending'),
  again('list-sold-again', '?status=sold&limit=100', 'sold'),
  again('list-100-again', '?limit=100'),
  {
    ...get('get-created', created),
    when: { text: 'if a creation was accepted', holds: ({ createdId }) => createdId !== undefined },
  },
  {
    ...get('get-created-again', created),
    after: 1000,
    when: {
      text: 'if getPet does not return it as it was sent',
      holds: ({ createdId, createdIsServed }) => createdId !== undefined && !createdIsServed,
    },
  },
]

/**
 * Requests of `create` without a valid key. The pages behind two of them go on their connections, and show whether their
 * bodies were read.
 */
export const keylessCreatingSteps: readonly Step[] = [
  { ...post('invalid', 'unknown-key-create-invalid', '', '{}'), credential: 'unknown-key' },
  { ...post('valid', 'unknown-key-create', 'unk', plainPet), credential: 'unknown-key' },
  smallPages.two,
  { ...post('invalid', 'no-key-create-invalid', '', '{}'), credential: 'none' },
  { ...post('valid', 'no-key-create', 'ano', plainPet), credential: 'none' },
  smallPages.fifty,
]

/**
 * A late request of `create`, sent if the bound leaves room, that only has to cause no 5xx: a name with
 * U+0000, which the interface neither allows nor forbids.
 */
export const nulNameStep: Step = {
  ...post('invalid', 'create-nul-name', '\0', plainPet),
  priority: 'low',
}

/**
 * Requests of `create` that only observe, sent if the bound leaves room. A page follows, which shows what
 * a server that rejects a body without reading it leaves on the connection.
 */
export const observingSteps: readonly Step[] = [
  {
    id: 'method-unknown',
    credential: 'key',
    method: 'POST',
    target: ({ unknownId }) => `/pets/${unknownId}`,
    isOutside: 'method',
    priority: 'lowest',
  },
  {
    ...post('valid', 'create-again', 'non', plainPet),
    priority: 'lowest',
    idempotencyKey: uuid,
    repeats: 'create-no-status',
    when: {
      text: 'if it was accepted, and the large categoryId too',
      holds: ({ noStatusIsAccepted, largeIsRejected }) => noStatusIsAccepted && !largeIsRejected,
    },
  },
  { ...post('valid', 'create-text-plain', 'typ', plainPet), priority: 'lowest', contentType: 'text/plain' },
]

/** Returns a UUID that the random ids of the run determine (RFC 9562, version 8). */
function uuid({ unknownId, requestedId }: Known): string {
  const digits = [unknownId, requestedId].map((id) => BigInt(id).toString(16).padStart(16, '0')).join('')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`
}
