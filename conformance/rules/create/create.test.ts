import { invalidSteps } from '../../steps/steps-create.ts'
import { judges } from '../../testing/judges.ts'
import {
  allPages,
  animals,
  each,
  error,
  firstNewId,
  json,
  type Script,
  validIds,
} from '../../testing/recorded.ts'

const first = { id: firstNewId, name: 'Testabcd ava', categoryId: 1, status: 'available' }
const noneAccepted = each([...validIds, 'create-text-plain'], error(400))
const shownLater = { id: 106, categoryId: 1, status: 'pending' }
const available = animals.filter(({ status }) => status === 'available')
const short = json(200, available)
const unshown: Script = { 'list-available-100': short, 'list-available-again': short }
const ghost = (name: string) => ({ id: 900, name: `Testabcd ${name}`, categoryId: 1, status: 'sold' })
const takenAway: Script = { 'list-100-last': json(200, animals.slice(1, 20)) }
const page = (name: string) => json(200, [{ ...first, name }])
const everyPage = (name: string): Script => each(allPages, page(name))
const got = (name: string): Script =>
  each(['get-created', 'get-created-again'], json(200, { ...first, name }))
/** A run that sends no more invalid bodies, as the first twelve were accepted. */
const invalid = invalidSteps.map(({ id }) => id)
const twelveAccepted: Script = {
  ...each(invalid, 'left out'),
  ...each(invalid.slice(0, 12), json(201, { id: 7, name: 'Testabcd', categoryId: 1 })),
}

judges('create', {
  'CREATE-1 is broken by a 400 in a category that was given': ['broken', noneAccepted, { categoryId: '1' }],
  'CREATE-1 holds if one status gets a 400, which CREATE-4 judges': [
    'holds',
    { 'create-available': error(400) },
  ],
  'CREATE-6 has no evidence in one new animal': [
    'no-evidence',
    {
      ...noneAccepted,
      ...each(['create-nul-name', 'create-again'], error(400)),
      'create-sold': json(201, first),
    },
  ],
  'CREATE-21 has no evidence if the small category fails otherwise': [
    'no-evidence',
    { 'create-int64': error(400), 'create-small-category': error(500) },
  ],
  'CREATE-21 has no evidence if the small category was not tried': [
    'no-evidence',
    { 'create-int64': error(400) },
  ],
  'CREATE-28 holds if only one later page differs': [
    'holds',
    { 'list-pending-100': json(200, [{ ...shownLater, name: 'Testabcd ŁΩК猫𠮷ש &amp;' }]) },
  ],
  'CREATE-7 has no evidence in a body that GET-1 judges': ['no-evidence', { 'get-created': json(200, {}) }],
  'CREATE-7 has no evidence if other clients remove animals': [
    'no-evidence',
    { 'get-created': error(404), 'get-created-again': error(404), ...takenAway },
  ],
  'CREATE-8 has no evidence in one complete page': ['no-evidence', { 'list-available-100': short }],
  'CREATE-8 has no evidence if others may have adopted the animal': [
    'no-evidence',
    { ...unshown, 'get-created': json(200, { ...first, status: 'sold' }) },
  ],
  'CREATE-8 has no evidence if others may have removed the animal': [
    'no-evidence',
    { ...unshown, ...each(['get-created', 'get-created-again'], error(404)) },
  ],
  'CREATE-24 holds for a 500, which does not reject': [
    'holds',
    { 'create-unusual-name': error(500), 'list-100-last': json(200, [ghost('ŁΩК猫𠮷ש &<"\'')]) },
  ],
  'CREATE-26 holds by the last page that shows the animal': [
    'holds',
    { ...everyPage('Rex'), 'list-100-last': page(first.name) },
  ],
  'CREATE-26 has no evidence in a difference that one page shows': [
    'no-evidence',
    { ...everyPage(first.name), 'list-100-last': page('Rex') },
  ],
  'CREATE-26 has no evidence in a difference that one getPet shows': [
    'no-evidence',
    { 'get-created': json(200, { ...first, name: 'Rex' }) },
  ],
  'CREATE-26 has no evidence in a status that others may have set': [
    'no-evidence',
    { 'get-created': json(200, { ...first, status: 'sold' }) },
  ],
  'CREATE-26 ignores getPet once it may be removed': ['holds', got('Rex'), { now: '2030-12-05T00:00:00Z' }],
  'CREATE-27 is not run after 12 accepted bodies': ['not-run', twelveAccepted],
})
