import { testRules } from '../testing/judges.ts'
import {
  animals,
  createHeaders,
  keyStepIds,
  otherStepIds,
  requestedAnimal,
  type Script,
  scriptEach,
  scriptError,
  scriptJson,
} from '../testing/recorded.ts'
import type { Transcript } from '../transcript/transcript.ts'

const getListedStep = 'get-listed'
const otherGetSteps = ['get-first', 'get-last']
const scriptGetPet = (change: Readonly<Record<string, unknown>>): Script => ({
  [getListedStep]: scriptJson(200, { ...requestedAnimal, ...change }),
})
const scriptGetPetHeader = (name: string, value: string): Script => ({
  [getListedStep]: { headers: createHeaders({ [name]: value }) },
})
const scriptChangedAnimal = (change: Readonly<Record<string, unknown>>): Script => {
  const changedAnimals = animals.map((animal) =>
    animal === requestedAnimal ? { ...animal, ...change } : animal,
  )
  const firstPage = scriptJson(200, changedAnimals.slice(0, 20))
  return {
    'key-other-case': firstPage,
    'list-last': firstPage,
    'list-100-last': scriptJson(200, changedAnimals),
  }
}
const scriptRenamedAnimal = scriptChangedAnimal({ name: 'Renamed' })

testRules('read', {
  'GET-11 is inconclusive if the full ID is not served either': [
    'no-evidence',
    { [getListedStep]: scriptError(404) },
  ],
  'GET-1 is inconclusive for a truncated body': [
    'no-evidence',
    scriptEach([getListedStep, ...otherGetSteps], { body: '', truncated: true }),
  ],
  'GET-3 holds if getPet returns an animal without a status': ['holds', scriptGetPet({ status: undefined })],
  'GET-3 is inconclusive if the animal was renamed during the run': [
    'no-evidence',
    {
      ...scriptGetPet({ name: 'Renamed' }),
      ...scriptRenamedAnimal,
      ...scriptEach(otherGetSteps, 'left out'),
    },
  ],
  'GET-1 is broken if one of three animals is not found': ['broken', { 'get-last': scriptError(404) }],
  'GET-1 holds if another client removed one of three animals': [
    'holds',
    {
      'get-last': scriptError(404),
      ...scriptEach(['key-other-case', 'list-100-last'], scriptJson(200, animals.slice(0, 20))),
    },
  ],
  'GET-4 is broken by a listed animal for its ID plus 2^32': [
    'broken',
    { 'get-wrapped': scriptJson(200, requestedAnimal) },
  ],
  'GET-4 holds if an unlisted animal has the ID plus 2^32': [
    'holds',
    { 'get-wrapped': scriptJson(200, { ...requestedAnimal, id: 4294967303 }) },
  ],
  'GET-8 is broken by a Sunset with the wrong weekday': [
    'broken',
    scriptGetPetHeader('sunset', 'Fri, 05 Dec 2030 12:00:00 GMT'),
  ],
  'GET-8 holds for a Sunset at the end of 5 December in UTC-12': [
    'holds',
    scriptGetPetHeader('sunset', 'Friday, 06-Dec-30 12:00:00 GMT'),
  ],
  'GET-8 is broken by a Sunset one second after 5 December in UTC-12': [
    'broken',
    scriptGetPetHeader('sunset', 'Fri, 06 Dec 2030 12:00:01 GMT'),
  ],
  'GET-8 is broken by a Sunset header with an ISO date': [
    'broken',
    scriptGetPetHeader('sunset', '2030-12-05'),
  ],
  'GET-9 holds for a Deprecation date with parameters': [
    'holds',
    scriptGetPetHeader('deprecation', '@1795132800;a;b="c";d=1'),
  ],
  'GET-9 is broken by a Deprecation date with a fraction of a second': [
    'broken',
    scriptGetPetHeader('deprecation', '@1795132800.5'),
  ],
})

const createClockOverride = (date: string): Partial<Transcript> => ({ now: new Date(date).toISOString() })
const scriptDateHeader = (date: string | undefined): Script =>
  scriptEach([...keyStepIds, ...otherStepIds], { headers: createHeaders({ date }) })
const scriptRemovedGetPet = (date: string | undefined, status: number): Script => ({
  ...scriptDateHeader(date),
  [getListedStep]: { ...scriptError(status), headers: createHeaders({ date }) },
})
const afterGracePeriod = 'Sat, 07 Dec 2030 00:00:00 GMT'
const withinGracePeriod = 'Fri, 06 Dec 2030 23:59:59 GMT'

testRules('read', {
  'GET-6 applies until a day before the removal': ['holds', {}, createClockOverride('2030-12-03T23:59:59Z')],
  'GET-6 does not apply a day before the removal by our clock': [
    'not-applicable',
    {},
    createClockOverride('2030-12-04T00:00:00Z'),
  ],
  'GET-6 does not apply a day before the removal by the server clock': [
    'not-applicable',
    scriptRemovedGetPet('Wed, 04 Dec 2030 00:00:00 GMT', 410),
  ],
  'GET-6 uses the real clock if the server sends no Date': [
    'not-applicable',
    scriptRemovedGetPet(undefined, 410),
    { startedAt: '2030-12-08T00:00:00Z' },
  ],
  'GET-7 holds if getPet returns 410 on 7 December 2030': [
    'holds',
    scriptRemovedGetPet(afterGracePeriod, 410),
    createClockOverride(afterGracePeriod),
  ],
  'GET-7 does not apply before 7 December 2030 by the server clock': [
    'not-applicable',
    scriptRemovedGetPet(withinGracePeriod, 200),
    createClockOverride(afterGracePeriod),
  ],
  'GET-7 does not apply before 7 December 2030 by our clock': [
    'not-applicable',
    scriptRemovedGetPet(afterGracePeriod, 200),
    createClockOverride(withinGracePeriod),
  ],
})
