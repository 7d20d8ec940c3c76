import { isObject, type Json } from '../transcript/json.ts'
import { listResponses, type Page, pages, servedLists, unreadLists } from '../transcript/pages.ts'
import { type PetFault, petFault, petOf, show, statusProblem } from '../transcript/pets.ts'
import { isSuccess, jsonOf } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { eachOf, notApplicable, type PlacedProblem, typesOf } from './judging.ts'
import type { Judges } from './rule.ts'

/** Pages and their elements (sections 2 and 4.1). */
export const listJudges: Judges<'LIST', 1 | 2 | 3 | 4 | 5 | 18> = {
  'LIST-1': eachOf(listResponses, {
    expected: 'status 200',
    // other rules judge which queries succeed; a response that succeeds has the status 200, whatever its query
    problem: ({ exchange: { request }, response: { status } }) =>
      status !== 200 && (request.target === '/pets' || isSuccess(status)) && `returned ${status}`,
    ifNone: 'no list came back',
  }),
  'LIST-2': typesOf(servedLists, 'no list was returned'),
  'LIST-3': eachOf(servedLists, {
    expected: 'a bare JSON array',
    problem: ({ response }) => {
      const body = jsonOf(response)
      return !Array.isArray(body) && `has ${body === undefined ? 'no JSON' : show(body)}`
    },
    at: () => ({ path: [] }),
    ifNone: 'no list was returned',
    unread: unreadLists,
  }),
  'LIST-4': eachOf(filledPages, {
    expected: 'elements with an int64 id, a string name and an int64 categoryId',
    problem: (page) => page.pets.length < page.elements.length && elementProblem(page, petFault),
    ifNone: 'every page was empty',
    unread: unreadLists,
  }),
  'LIST-5': (transcript) =>
    filledPages(transcript).length > 0 &&
    pagesWithStatus(transcript).length === 0 &&
    unreadLists(transcript).length === 0
      ? notApplicable('no listed animal has a status')
      : judgeStatuses(transcript),
  'LIST-18': eachOf((transcript) => pages(transcript).filter(({ pets }) => pets.length > 1), {
    expected: 'every id once on a page',
    problem: idTwice,
    ifNone: 'no page has two animals',
    unread: unreadLists,
  }),
}

const judgeStatuses = eachOf(pagesWithStatus, {
  expected: 'available, pending or sold as the status of an element that has one',
  problem: (page) =>
    elementProblem(page, (element) => {
      const text = statusProblem(element)
      return text === undefined ? undefined : { text, member: 'status' }
    }),
  ifNone: 'every page was empty',
  unread: unreadLists,
})

function pagesWithStatus(transcript: Transcript): readonly Page[] {
  return filledPages(transcript).filter(({ elements }) =>
    elements.some((element) => isObject(element) && element.has('status')),
  )
}

/** Returns the pages that have an element. */
export function filledPages(transcript: Transcript): readonly Page[] {
  return pages(transcript).filter(({ elements }) => elements.length > 0)
}

/** Returns the problem of the first element of a page that has one, with the index and the id of the element. */
function elementProblem(
  { elements }: Page,
  faultOf: (element: Json) => PetFault | undefined,
): PlacedProblem | undefined {
  for (const [index, element] of elements.entries()) {
    const fault = faultOf(element)
    if (fault === undefined) continue
    const { text, member } = fault
    const id = isObject(element) && member !== 'id' ? element.get('id') : undefined
    const named = `index ${index}${id === undefined ? '' : `, id ${show(id)}`}`
    const at = { path: [index, ...(member === undefined ? [] : [member])] }
    return { text: `has an element (${named}) that ${text}`, at }
  }
  return undefined
}

/** Returns the problem of the second element of a page that has one id. */
function idTwice({ elements }: Page): PlacedProblem | undefined {
  const seen = new Set<Json>()
  for (const [index, element] of elements.entries()) {
    const id = petOf(element)?.id
    if (id !== undefined && seen.size === seen.add(id).size)
      return { text: `has the id ${id} more than once`, at: { path: [index, 'id'] } }
  }
  return undefined
}
