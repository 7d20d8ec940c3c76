import { isObject, type Json } from '../transcript/json.ts'
import { maximumLimit, type Page, pages } from '../transcript/pages.ts'
import { show } from '../transcript/pets.ts'
import { brokenIn, type FaultKind } from './cause.ts'

/** Query parameters that listPets ignores (section 4.1). */
export const queryFaults: readonly FaultKind[] = [
  {
    id: 'filter-ignored',
    least: 2,
    find(transcript) {
      const unlike = pages(transcript).flatMap((page) => {
        const other = page.status === undefined ? undefined : otherStatus(page.elements, page.status)
        return other === undefined ? [] : [{ page, other }]
      })
      const [first] = unlike
      if (first === undefined || unlike.length < 2) return undefined
      return {
        title: `The parameter status is ignored: status=${first.page.status} returns an animal that is ${show(first.other)}`,
        advice: 'filter by the parameter status of the query, spelled like that',
        exchanges: unlike.map(({ page }) => page.id),
        explains: brokenIn('LIST-12', 'LIST-13', 'LIST-14', 'LIST-16', 'LIST-17'),
      }
    },
  },
  {
    id: 'limit-ignored',
    least: 2,
    find(transcript) {
      const long = pages(transcript).filter(isTooLong)
      const [first] = long
      if (first === undefined || long.length < 2) return undefined
      return {
        title: `The parameter limit is ignored: limit=${first.limit} returns ${first.elements.length} animals`,
        advice: 'return at most so many animals as the parameter limit of the query asks for',
        exchanges: long.map(({ id }) => id),
        explains: brokenIn('LIST-8', 'LIST-9', 'LIST-10', 'LIST-11', 'LIST-16', 'LIST-20'),
      }
    },
  },
]

function isTooLong({ limit, elements }: Page): boolean {
  return (
    limit !== undefined && /^\d{1,4}$/.test(limit) && elements.length > Math.min(Number(limit), maximumLimit)
  )
}

/** Returns the first status of an element that is not the status of the filter. */
function otherStatus(elements: readonly Json[], filter: string): Json | undefined {
  for (const element of elements) {
    const status = isObject(element) ? element.get('status') : undefined
    if (status !== undefined && status !== filter) return status
  }
  return undefined
}
