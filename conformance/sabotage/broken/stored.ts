import { editResponseWith, isGet, isList, type When } from '../change.ts'
import type { Change } from '../deployment.ts'
import { withEach } from '../edit.ts'
import type { JsonObject } from '../json.ts'
import type { Broken } from '../variant.ts'

const reading: When = (request) => isList(request) || isGet(request)

/** Changes animals in every page and in every response of getPet, but not in the response that creates them. */
const later = (edit: (pet: JsonObject) => JsonObject): Change =>
  editResponseWith([200], reading, (response) => withEach(response, edit))

const isNew = ({ name }: JsonObject): boolean => typeof name === 'string' && name.startsWith('Test')

/** Deployments that break section 4.2 after the response to a creation. */
export const brokenStores: readonly Broken[] = [
  {
    rule: 'CREATE-26',
    does: 'stores the names of new animals in upper case',
    alsoBreaks: ['CREATE-7'],
    change: later((pet) => (isNew(pet) ? { ...pet, name: String(pet.name).toUpperCase() } : pet)),
  },
  {
    rule: 'CREATE-26',
    does: 'stores every categoryId as a double',
    change: later((pet) => ({ ...pet, categoryId: BigInt(Number(pet.categoryId)) })),
  },
  {
    rule: 'CREATE-28',
    does: 'escapes the names of new animals for HTML on pages',
    alsoBreaks: ['CREATE-26'],
    change: editResponseWith([200], isList, (response) =>
      withEach(response, (pet) => ({ ...pet, name: String(pet.name).replace(/&/g, '&amp;') })),
    ),
  },
]
