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
  'CREATE-1 a 400 in a category that was given breaks it': ['broken', noneAccepted, { categoryId: '1' }],
  'CREATE-1 a 400 to one status is CREATE-4’s to judge': ['holds', { 'create-available': error(400) }],
  'CREATE-6 one new animal proves nothing': [
    'no-evidence',
    {
      ...noneAccepted,
      ...each(['create-nul-name', 'create-again'], error(400)),
      'create-sold': json(201, first),
    },
  ],
  'CREATE-21 a small category that fails otherwise proves nothing': [
    'no-evidence',
    { 'create-int64': error(400), 'create-small-category': error(500) },
  ],
  'CREATE-21 a 400 is no evidence if the small category was not tried': [
    'no-evidence',
    { 'create-int64': error(400) },
  ],
  'CREATE-28 one later page does not': [
    'holds',
    { 'list-pending-100': json(200, [{ ...shownLater, name: 'Testabcd ŁΩК猫𠮷ש &amp;' }]) },
  ],
  'CREATE-7 what is no Pet is GET-1’s to judge': ['no-evidence', { 'get-created': json(200, {}) }],
  'CREATE-7 there is no evidence if other clients remove animals': [
    'no-evidence',
    { 'get-created': error(404), 'get-created-again': error(404), ...takenAway },
  ],
  'CREATE-8 a complete page that is asked once does not': ['no-evidence', { 'list-available-100': short }],
  'CREATE-8 others may have adopted it': [
    'no-evidence',
    { ...unshown, 'get-created': json(200, { ...first, status: 'sold' }) },
  ],
  'CREATE-8 others may have taken it away': [
    'no-evidence',
    { ...unshown, ...each(['get-created', 'get-created-again'], error(404)) },
  ],
  'CREATE-24 a 500 is no rejection': [
    'holds',
    { 'create-unusual-name': error(500), 'list-100-last': json(200, [ghost('ŁΩК猫𠮷ש &<"\'')]) },
  ],
  'CREATE-26 only the last page that shows the animal counts': [
    'holds',
    { ...everyPage('Rex'), 'list-100-last': page(first.name) },
  ],
  'CREATE-26 a difference that only one page shows is no evidence': [
    'no-evidence',
    { ...everyPage(first.name), 'list-100-last': page('Rex') },
  ],
  'CREATE-26 a difference that only one getPet shows is no evidence': [
    'no-evidence',
    { 'get-created': json(200, { ...first, name: 'Rex' }) },
  ],
  'CREATE-26 another status is no evidence: it may be another client’s work': [
    'no-evidence',
    { 'get-created': json(200, { ...first, status: 'sold' }) },
  ],
  'CREATE-26 getPet does not count once it may be gone': [
    'holds',
    got('Rex'),
    { now: '2030-12-05T00:00:00Z' },
  ],
  'CREATE-27 it is not run after twelve bodies that were accepted': ['not-run', twelveAccepted],
})
