import { editItems, isGet, isList, type When } from '../change.ts'
import type { Change } from '../deployment.ts'
import type { JsonObject } from '../json.ts'
import { type Broken, brokenBy } from '../variant.ts'

const reading: When = (request) => isList(request) || isGet(request)

/** Changes animals in every page and in every response of getPet, but not in the response that creates them. */
const later = (edit: (pet: JsonObject) => JsonObject): Change => editItems([200], reading, edit)

const isNew = ({ name }: JsonObject): boolean => typeof name === 'string' && name.startsWith('Test')

/** Deployments that break section 4.2 after the response to a creation. */
export const brokenStores: readonly Broken[] = brokenBy({
  'CREATE-26': {
    'stores the names of new animals in upper case': {
      alsoBreaks: ['CREATE-7'],
      ...later((pet) => (isNew(pet) ? { ...pet, name: String(pet.name).toUpperCase() } : pet)),
    },
    'stores every categoryId as a double': later((pet) => ({
      ...pet,
      categoryId: BigInt(Number(pet.categoryId)),
    })),
  },
  'CREATE-28': {
    'escapes the names of new animals for HTML on pages': {
      alsoBreaks: ['CREATE-26'],
      ...editItems([200], isList, (pet) => ({ ...pet, name: String(pet.name).replace(/&/g, '&amp;') })),
    },
  },
})
