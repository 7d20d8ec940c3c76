import { isObject, type Json } from '../transcript/json.ts'
import { maximumLimit, type Page, pages } from '../transcript/pages.ts'
import { show } from '../transcript/pets.ts'
import { brokenIn, type FaultKind, shownBy } from './cause.ts'

/** Query parameters that listPets ignores (section 4.1). */
export const queryFaults: readonly FaultKind[] = [
  {
    id: 'filter-ignored',
    least: 2,
    find(transcript) {
      const unlike = pages(transcript).flatMap((page) => {
        const other = page.status === undefined ? undefined : otherStatus(page.elements, page.status)
        return other === undefined ? [] : [{ id: page.id, status: page.status, other }]
      })
      return shownBy(
        unlike,
        ({ status, other }) => ({
          title: `The parameter status is ignored: status=${status} returns an animal that is ${show(other)}`,
          advice: 'filter by the parameter status of the query, spelled like that',
          explains: brokenIn('LIST-12', 'LIST-13', 'LIST-14', 'LIST-16', 'LIST-17'),
        }),
        2,
      )
    },
  },
  {
    id: 'limit-ignored',
    least: 2,
    find(transcript) {
      return shownBy(
        pages(transcript).filter(isTooLong),
        ({ limit, elements }) => ({
          title: `The parameter limit is ignored: limit=${limit} returns ${elements.length} animals`,
          advice: 'return at most so many animals as the parameter limit of the query asks for',
          explains: brokenIn('LIST-8', 'LIST-9', 'LIST-10', 'LIST-11', 'LIST-16', 'LIST-20'),
        }),
        2,
      )
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
