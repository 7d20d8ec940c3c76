import { createGetStep, createListStep, type LearnedFacts, type Step } from './step.ts'
import { lastPage, statusPages } from './steps-read.ts'

/**
 * Creates a createPet step with the main key. `NAME`, `CATEGORY`, `OTHER` and `ID` in the text are replaced.
 *
 * @param tag End of the animal's name. A name that is not under test has at most 12 characters.
 * @param text Body as JSON. There is no body by default.
 */
function createPostStep(creates: NonNullable<Step['creates']>, id: string, tag = '', text?: string): Step {
  const fillTemplate = (
    { marker, categoryId, unlistedCategoryId, idInBody }: LearnedFacts,
    body: string,
  ): string =>
    body
      .replace('CATEGORY', categoryId)
      .replace('OTHER', unlistedCategoryId)
      .replace('ID', idInBody)
      // The replacement is a function, as a string would interpret `$`.
      .replace('NAME', () => JSON.stringify(`${marker} ${tag}`))
  return {
    id,
    credential: 'key',
    method: 'POST',
    target: () => '/pets',
    creates,
    ...(text !== undefined && { body: (known) => fillTemplate(known, text) }),
  }
}

/** Creates a step with a body that the server has no reason to reject. */
function createOrdinaryStep(id: string, tag: string, text: string): Step {
  return { ...createPostStep('valid', id, tag, text), isOrdinary: true }
}

function createInvalidStep(rule: string, id: string, text?: string, tag?: string): Step {
  return { ...createPostStep('invalid', id, tag, text), rule }
}

const pet = '"name":NAME,"categoryId":CATEGORY'
const plainPet = `{${pet}}`

/** The last part of each name under test. */
export const unusualNames = {
  /** Letters from several scripts, one of them outside the Basic Multilingual Plane. */
  scripts: 'ŁΩК猫𠮷ש',
  /** Characters that HTML escapes. */
  punctuation: '&<"\'',
  /** A backslash, a percent escape and a trailing space. */
  escapes: '\\ %41 ',
} as const

/** Creates a step that is sent only if no creation with its status was accepted. */
function createStepUnlessAccepted(id: string, tag: string, text: string, status?: string): Step {
  const condition = {
    text: `if no creation ${status === undefined ? 'without a status' : `as ${status}`} was accepted`,
    holds: ({ acceptedStatuses }: LearnedFacts) => !acceptedStatuses.includes(status),
  }
  return { ...createOrdinaryStep(id, tag, text), isAlternative: true, when: condition }
}

/** Valid creations. Together they cover every status, so that few animals are added. */
export const creatingSteps: readonly Step[] = [
  // The later repetition has the same `Idempotency-Key`.
  {
    ...createOrdinaryStep('create-available', 'ava', `{${pet},"status":"available"}`),
    idempotencyKey: createUuid,
  },
  // An int64 that a double cannot represent.
  createPostStep(
    'valid',
    'create-int64',
    'big',
    '{"name":NAME,"categoryId":9007199254740993,"status":"sold"}',
  ),
  // Shows whether the server rejected the category for its size.
  {
    ...createPostStep(
      'valid',
      'create-small-category',
      'sml',
      '{"name":NAME,"categoryId":OTHER,"status":"sold"}',
    ),
    isAlternative: true,
    when: {
      text: 'if the large categoryId is rejected with 400',
      holds: ({ largeCategoryIsRejected }) => largeCategoryIsRejected,
    },
  },
  // Names with unusual characters, and a body with undeclared members.
  createPostStep(
    'valid',
    'create-unusual-name',
    `${unusualNames.scripts} ${unusualNames.punctuation}`,
    `{${pet},"status":"pending"}`,
  ),
  createPostStep(
    'valid',
    'create-own-id',
    `esc ${unusualNames.escapes}`,
    `{${pet},"id":ID,"nickname":"Spot"}`,
  ),
  createStepUnlessAccepted('create-pending', 'pen', `{${pet},"status":"pending"}`, 'pending'),
  createStepUnlessAccepted('create-sold', 'sol', `{${pet},"status":"sold"}`, 'sold'),
  createStepUnlessAccepted('create-no-status', 'non', plainPet),
]

const parallelStatuses = ['available', 'pending', 'sold', 'available'] as const
export const parallelGroup = 'create-together'

/** Creations that are sent in parallel, each with its own name. */
export const parallelSteps: readonly Step[] = parallelStatuses.map((status, n) => ({
  ...createPostStep(
    'valid',
    `${parallelGroup}-${n + 1}`,
    'onetwothrfou'.slice(3 * n, 3 * n + 3),
    `{${pet},"status":"${status}"}`,
  ),
  group: parallelGroup,
  when: {
    text: 'if a creation was accepted',
    holds: ({ acceptedStatuses }) => acceptedStatuses.length > 0,
  },
}))

/**
 * Invalid creations (section 4.2), one mistake each. The first body for each rule comes first, as the run stops after
 * 12 accepted ones.
 */
export const invalidSteps: readonly Step[] = [
  createInvalidStep('CREATE-9', 'refuse-empty-object', '{}'),
  createInvalidStep('CREATE-10', 'refuse-no-name', '{"categoryId":CATEGORY}'),
  createInvalidStep('CREATE-11', 'refuse-no-category', '{"name":NAME}', 'mis'),
  createInvalidStep('CREATE-12', 'refuse-name-number', '{"name":7,"categoryId":CATEGORY}'),
  createInvalidStep('CREATE-13', 'refuse-category-text', '{"name":NAME,"categoryId":"CATEGORY"}', 'txt'),
  createInvalidStep('CREATE-14', 'refuse-category-fraction', '{"name":NAME,"categoryId":CATEGORY.5}', 'fra'),
  createInvalidStep('CREATE-15', 'refuse-status', `{${pet},"status":"lost"}`, 'los'),
  createInvalidStep('CREATE-16', 'refuse-malformed', `{${pet}`, 'mal'),
  createInvalidStep('CREATE-17', 'refuse-no-body'),
  createInvalidStep('CREATE-18', 'refuse-array', `[${plainPet}]`, 'arr'),
  createInvalidStep('CREATE-19', 'refuse-nulls', '{"name":null,"categoryId":null}'),
  createInvalidStep(
    'CREATE-20',
    'refuse-beyond-int64',
    '{"name":NAME,"categoryId":9223372036854775808}',
    'bey',
  ),
  createInvalidStep('CREATE-13', 'refuse-category-true', '{"name":NAME,"categoryId":true}', 'tru'),
  createInvalidStep('CREATE-13', 'refuse-category-false', '{"name":NAME,"categoryId":false}', 'fal'),
  createInvalidStep('CREATE-13', 'refuse-category-empty', '{"name":NAME,"categoryId":""}', 'emp'),
  createInvalidStep('CREATE-16', 'refuse-trailing', `${plainPet} {"a":1}`, 'trl'),
  createInvalidStep('CREATE-16', 'refuse-trailing-comma', `{${pet},}`, 'com'),
  createInvalidStep('CREATE-18', 'refuse-null', 'null'),
  createInvalidStep('CREATE-18', 'refuse-number', '5'),
  createInvalidStep('CREATE-18', 'refuse-string', '"x"'),
  createInvalidStep('CREATE-19', 'refuse-null-name', '{"name":null,"categoryId":CATEGORY}'),
  createInvalidStep('CREATE-19', 'refuse-null-category', '{"name":NAME,"categoryId":null}', 'nul'),
  createInvalidStep(
    'CREATE-20',
    'refuse-below-int64',
    '{"name":NAME,"categoryId":-9223372036854775809}',
    'blw',
  ),
  createInvalidStep('CREATE-15', 'refuse-status-capitals', `{${pet},"status":"SOLD"}`, 'cap'),
  createInvalidStep('CREATE-15', 'refuse-status-empty', `{${pet},"status":""}`, 'ste'),
  createInvalidStep('CREATE-27', 'refuse-status-null', `{${pet},"status":null}`, 'snu'),
  // The only invalid body that may be dropped.
  {
    ...createInvalidStep('CREATE-27', 'refuse-status-number', `{${pet},"status":7}`, 'sno'),
    priority: 'lowest',
  },
]

/** Sent on an empty server, so that later steps have animals to request. */
export const pageAfterCreations: Step = {
  ...createListStep('list-100-after', '?limit=100'),
  when: {
    text: 'if no animal with a status is listed',
    holds: ({ status }) => status === undefined,
  },
}

export const newFilteredPage: Step = {
  ...createListStep('list-new-status-1', ''),
  target: ({ newStatus }) => `/pets?status=${newStatus}&limit=1`,
  isAlternative: true,
  when: {
    text: 'if no page was requested with both status and limit',
    holds: ({ filteredPageWasSent }) => !filteredPageWasSent,
  },
}

/** Creates a step that repeats another after a delay, if its response did not show a new animal as it was sent. */
function createRepeatStep(step: Step, delayMs: number): Step {
  const condition = {
    text: `if ${step.id} does not show a new animal as sent`,
    holds: ({ unshownStepIds }: LearnedFacts) => unshownStepIds.includes(step.id),
  }
  return { ...step, id: `${step.id}-again`, delayMs, when: condition }
}

const getCreated: Step = {
  ...createGetStep('get-created', ({ createdId = '1' }) => createdId),
  when: { text: 'if a creation was accepted', holds: ({ createdId }) => createdId !== undefined },
}

const parallelGetSteps: readonly Step[] = parallelSteps.map((_, n) => ({
  ...createGetStep(`get-together-${n + 1}`, ({ parallelIds }) => parallelIds[n] ?? '1'),
  when: {
    text: `if no page shows the animal from ${parallelGroup}-${n + 1}`,
    holds: ({ parallelIds }) => parallelIds[n] !== undefined,
  },
}))

/** Steps that look for created animals. Each is repeated once if necessary, after 2 s for pages and 1 s for getPet. */
export const createdSteps: readonly Step[] = [
  ...[...statusPages, lastPage].map((page) => createRepeatStep(page, 2000)),
  ...[getCreated, ...parallelGetSteps].flatMap((step) => [step, createRepeatStep(step, 1000)]),
]

/** A valid creation with an unknown key. */
export const unknownKeyStep: Step = {
  ...createPostStep('valid', 'unknown-key-create', 'unk', plainPet),
  credential: 'unknown-key',
}

/** Creations without a valid key, then a GET on the last one's connection. */
export const keylessCreatingSteps: readonly Step[] = [
  {
    ...createPostStep('invalid', 'unknown-key-create-invalid', '', '{}'),
    credential: 'unknown-key',
    priority: 'low',
  },
  { ...createPostStep('invalid', 'no-key-create-invalid', '', '{}'), credential: 'none', priority: 'low' },
  { ...createPostStep('valid', 'no-key-create', 'ano', plainPet), credential: 'none' },
  {
    ...createListStep('list-same-connection', '?limit=1'),
    sameConnection: true,
    mayBeRateLimited: true,
    priority: 'low',
  },
]

/** Requests that show what the server does where the interface leaves the choice open. */
export const observingSteps: readonly Step[] = [
  { ...createPostStep('open', 'create-nul-name', '\0', plainPet), priority: 'low' },
  {
    id: 'method-unknown',
    credential: 'key',
    method: 'POST',
    target: ({ unknownId }) => `/pets/${unknownId}`,
    isOutside: 'method',
    priority: 'lowest',
  },
  {
    ...createPostStep('valid', 'create-again', 'ava', `{${pet},"status":"available"}`),
    priority: 'lowest',
    idempotencyKey: createUuid,
    repeats: 'create-available',
    when: {
      text: 'if create-available and the large categoryId were accepted',
      holds: ({ firstCreationIsAccepted, largeCategoryIsRejected }) =>
        firstCreationIsAccepted && !largeCategoryIsRejected,
    },
  },
  {
    ...createPostStep('open', 'create-text-plain', 'typ', plainPet),
    priority: 'lowest',
    contentType: 'text/plain',
  },
]

/** Creates a UUID (RFC 9562, version 8) from the run's random values. */
function createUuid({ unknownId, idInBody }: LearnedFacts): string {
  const hexDigits = [unknownId, idInBody].map((id) => BigInt(id).toString(16).padStart(16, '0')).join('')
  return `${hexDigits.slice(0, 8)}-${hexDigits.slice(8, 12)}-8${hexDigits.slice(13, 16)}-8${hexDigits.slice(17, 20)}-${hexDigits.slice(20)}`
}
