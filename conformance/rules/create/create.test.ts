import { invalidSteps } from '../../steps/steps-create.ts'
import { testRules } from '../../testing/judges.ts'
import {
  animals,
  buildTranscript,
  createdPet,
  firstNewId,
  type Script,
  scriptEach,
  scriptError,
  scriptJson,
  toSequential,
  validCreationIds,
} from '../../testing/recorded.ts'

const firstCreatedAnimal = { id: firstNewId, name: 'Testabcd ava', categoryId: 1, status: 'available' }
const rejectAllCreations = scriptEach([...validCreationIds, 'create-text-plain'], scriptError(400))
const listNewAnimalLater = { id: 106, categoryId: 1, status: 'pending' }
const soldAnimals = animals.filter(({ status }) => status === 'sold')
const soldPage = scriptJson(200, soldAnimals)
const hideNewSoldAnimal: Script = { 'list-sold-100': soldPage, 'list-sold-100-again': soldPage }
const createUnknownAnimal = (name: string) => ({
  id: 900,
  name: `Testabcd ${name}`,
  categoryId: 1,
  status: 'sold',
})
const removeFirstAnimal: Script = { 'list-100-last': scriptJson(200, animals.slice(1, 20)) }
const createFirstAnimalPage = (name: string) => scriptJson(200, [{ ...firstCreatedAnimal, name }])
const scriptGetPetName = (name: string): Script =>
  scriptEach(['get-created', 'get-created-again'], scriptJson(200, { ...createdPet, name }))
const invalidStepIds = invalidSteps.map(({ id }) => id)
const acceptTwelveInvalidBodies: Script = {
  ...scriptEach(invalidStepIds, 'left out'),
  ...scriptEach(invalidStepIds.slice(0, 12), scriptJson(201, { id: 7, name: 'Testabcd', categoryId: 1 })),
}

const parallelStepIds = [1, 2, 3, 4].map((n) => `create-together-${n}`)
const scriptParallelCreation = (n: number, more: object = {}): Script[string] =>
  scriptJson(201, {
    id: firstNewId + 3 + n,
    name: `Testabcd ${['one', 'two', 'thr', 'fou'][n - 1]}`,
    categoryId: 1,
    ...more,
  })
/** The pages hide the first parallel creation, so getPet is asked for it, twice if necessary. */
const hideFromSecondPage = (got: Script[string], again = got): Script => ({
  ...scriptEach(['list-50', 'list-100-last'], scriptJson(200, animals)),
  ...scriptEach(['list-last', 'key-other-case'], scriptJson(200, animals.slice(0, 20))),
  'list-available-100': scriptJson(
    200,
    animals.filter(({ status }) => status === 'available'),
  ),
  'get-together-1': got,
  'get-together-1-again': again,
  'get-together-4': scriptParallelCreation(4),
})

testRules('create', {
  'CREATE-29 holds if later pages show all four created animals': ['holds', {}],
  'CREATE-29 holds for two animals if a gateway failed twice': [
    'holds',
    scriptEach(parallelStepIds.slice(2), { status: 503, body: '' }),
  ],
  'CREATE-29 is inconclusive if only one creation was accepted': [
    'no-evidence',
    scriptEach(parallelStepIds.slice(1), scriptError(400)),
  ],
  'CREATE-29 is inconclusive if requests were sent one by one': [
    'no-evidence',
    scriptEach(parallelStepIds, { ms: 0 }),
    { exchanges: toSequential(buildTranscript('create')) },
  ],
  'CREATE-29 is broken by two animals with the same ID': [
    'broken',
    { 'create-together-2': scriptParallelCreation(2, { id: firstNewId + 4 }) },
  ],
  'CREATE-29 is broken by a response with the name of another request': [
    'broken',
    { 'create-together-2': scriptParallelCreation(2, { name: 'Testabcd one' }) },
  ],
  'CREATE-29 is broken by a response with a name that no request sent': [
    'broken',
    { 'create-together-2': scriptParallelCreation(2, { name: 'Rex' }) },
  ],
  'CREATE-29 ignores wrong names if every creation returns a wrong name': [
    'no-evidence',
    {
      'create-available': scriptJson(201, { id: firstNewId, name: 'Rex', categoryId: 1 }),
      'create-together-2': scriptParallelCreation(2, { name: 'Rex' }),
      'get-together-2': scriptParallelCreation(2, { name: 'Max' }),
    },
  ],
  "CREATE-29 is broken by another animal's name in getPet": [
    'broken',
    hideFromSecondPage(scriptParallelCreation(1, { name: 'Testabcd fou' })),
  ],
  'CREATE-29 holds if getPet finds the animal the second time': [
    'holds',
    hideFromSecondPage(scriptError(404), scriptParallelCreation(1)),
  ],
  'CREATE-29 is broken if getPet misses an animal twice': ['broken', hideFromSecondPage(scriptError(404))],
  'CREATE-29 is inconclusive if a gateway fails for getPet': [
    'no-evidence',
    hideFromSecondPage(scriptError(503)),
  ],
  'CREATE-29 ignores getPet responses from its removal date on': [
    'no-evidence',
    hideFromSecondPage(scriptError(404)),
    { now: '2030-12-05T00:00:00Z' },
  ],
  'CREATE-1 is broken by a 400 if --category-id was given': [
    'broken',
    rejectAllCreations,
    { categoryId: '1' },
  ],
  'CREATE-1 holds if only one status is rejected': ['holds', { 'create-available': scriptError(400) }],
  'CREATE-6 is inconclusive if only one animal was created': [
    'no-evidence',
    {
      ...rejectAllCreations,
      ...scriptEach(['create-nul-name', 'create-again'], scriptError(400)),
      'create-sold': scriptJson(201, firstCreatedAnimal),
    },
  ],
  'CREATE-21 is inconclusive if a body with a small category returns 500': [
    'no-evidence',
    { 'create-int64': scriptError(400), 'create-small-category': scriptError(500) },
  ],
  'CREATE-21 is inconclusive if no small category was sent': [
    'no-evidence',
    { 'create-int64': scriptError(400) },
  ],
  'CREATE-28 holds if only one later page shows a different name': [
    'holds',
    { 'list-pending-100': scriptJson(200, [{ ...listNewAnimalLater, name: 'Testabcd ŁΩК猫𠮷ש &amp;' }]) },
  ],
  'CREATE-7 is inconclusive if getPet returns no Pet': [
    'no-evidence',
    { 'get-created': scriptJson(200, {}) },
  ],
  'CREATE-7 is inconclusive if other clients remove animals': [
    'no-evidence',
    { 'get-created': scriptError(404), 'get-created-again': scriptError(404), ...removeFirstAnimal },
  ],
  'CREATE-8 is inconclusive for a page requested only once': ['no-evidence', { 'list-sold-100': soldPage }],
  'CREATE-8 is inconclusive if another client changed the status': [
    'no-evidence',
    { ...hideNewSoldAnimal, 'get-created': scriptJson(200, { ...createdPet, status: 'pending' }) },
  ],
  'CREATE-8 is inconclusive if the animal may have been removed': [
    'no-evidence',
    { ...hideNewSoldAnimal, ...scriptEach(['get-created', 'get-created-again'], scriptError(404)) },
  ],
  'CREATE-24 ignores creations that returned 500': [
    'holds',
    {
      'create-unusual-name': scriptError(500),
      'list-100-last': scriptJson(200, [createUnknownAnimal('ŁΩК猫𠮷ש &<"\'')]),
    },
  ],
  'CREATE-26 holds if the repeated page is correct': [
    'holds',
    {
      'list-100-last': createFirstAnimalPage('Rex'),
      'list-100-last-again': createFirstAnimalPage(firstCreatedAnimal.name),
    },
  ],
  'CREATE-26 is broken if two pages show a different name': [
    'broken',
    scriptEach(['list-100-last', 'list-100-last-again'], createFirstAnimalPage('Rex')),
  ],
  'CREATE-26 is inconclusive if only one page shows a different name': [
    'no-evidence',
    { 'list-100-last': createFirstAnimalPage('Rex') },
  ],
  'CREATE-26 is inconclusive if only one getPet response differs': [
    'no-evidence',
    { 'get-created': scriptJson(200, { ...createdPet, name: 'Rex' }) },
  ],
  'CREATE-26 is inconclusive if the animal differs only in its status': [
    'no-evidence',
    { 'get-created': scriptJson(200, { ...createdPet, status: 'pending' }) },
  ],
  'CREATE-26 ignores getPet responses from its removal date on': [
    'holds',
    scriptGetPetName('Rex'),
    { now: '2030-12-05T00:00:00Z' },
  ],
  'CREATE-27 is not run after 12 accepted invalid bodies': ['not-run', acceptTwelveInvalidBodies],
})
