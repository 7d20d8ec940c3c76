import { isObject, type Json } from '../transcript/json.ts'
import {
  defaultLimit,
  findSteadyAnimals,
  type Listing,
  linksNext,
  listResponses,
  maximumLimit,
  type Page,
  pages,
  servedLists,
  successfulLists,
} from '../transcript/pages.ts'
import { findPetFault, findStatusProblem, type PetFault, parsePet, show } from '../transcript/pets.ts'
import { plural } from '../transcript/printable.ts'
import { isSuccess, parseBody, type RecordedResponse } from '../transcript/responses.ts'
import { formatRequestName, type Transcript } from '../transcript/transcript.ts'
import {
  anyOf,
  broken,
  eachOf,
  holds,
  judgePage,
  judgeTypes,
  noEvidence,
  nothingToJudge,
  onResponse,
  type PlacedProblem,
  worstOf,
} from './judging.ts'
import { type Family, type Finding, type Judge, must, should } from './rule.ts'

/** Pages and their elements (sections 2 and 4.1). */
export const listRules: Family = {
  'LIST-1 s4-1-list': must.read(
    '`GET /pets` with a key returns 200',
    eachOf(listResponses, {
      expected: 'status 200',
      // other rules judge which queries succeed; a response that succeeds has the status 200, whatever its query
      problem: ({ exchange: { request }, response: { status } }) =>
        status !== 200 && (request.target === '/pets' || isSuccess(status)) && `returned ${status}`,
      ifNone: 'no list came back',
    }),
  ),
  'LIST-2 s4-json': must.read(
    'a list has the content type `application/json`',
    judgeTypes(servedLists, 'no list was returned'),
  ),
  'LIST-3 s2-bare-array': must.read(
    'a list is a bare array',
    eachOf(servedLists, {
      expected: 'a bare JSON array',
      problem: ({ response }) => {
        const body = parseBody(response)
        return !Array.isArray(body) && `has ${body === undefined ? 'no JSON' : show(body)}`
      },
      at: () => ({ path: [] }),
      ifNone: 'no list was returned',
      containedIn: successfulLists,
    }),
  ),
  'LIST-4 s2-required-fields': must.read(
    'every listed animal has the required fields of Pet, each of its type: `id` and `categoryId` integers within int64, `name` a string',
    eachOf(filledPages, {
      expected: 'elements with an int64 id, a string name and an int64 categoryId',
      problem: (page) => page.pets.length < page.elements.length && elementProblem(page, findPetFault),
      ifNone: 'every page was empty',
      containedIn: successfulLists,
    }),
  ),
  'LIST-5 s2-status-values': must.read(
    'the `status` of a listed animal, where it has one, is a PetStatus (`null` is not)',
    eachOf(pagesWithStatus, {
      expected: 'available, pending or sold as the status of an element that has one',
      problem: (page) =>
        elementProblem(page, (element) => {
          const text = findStatusProblem(element)
          return text === undefined ? undefined : { text, member: 'status' }
        }),
      ifNone: 'no listed animal has a status',
      outOf: filledPages,
      containedIn: successfulLists,
    }),
  ),
  'LIST-18 s2-id-unique': must.read(
    'no page has an id twice',
    eachOf((transcript) => pages(transcript).filter(({ pets }) => pets.length > 1), {
      expected: 'every id once on a page',
      problem: idTwice,
      ifNone: 'no page has two animals',
      containedIn: successfulLists,
    }),
  ),
  'LIST-6 s4-1-limit-default': must.read(
    'a list without `limit` has at most 20 animals',
    atMost(defaultLimit, isPlain, 'no page without limit and filter has an animal'),
  ),
  'LIST-7 s4-1-limit-default-full': should.read(
    'a list without `limit` has exactly 20 animals when there are more than 20',
    judgeDefaultLimit,
  ),
  'LIST-8 s4-1-limit-minimum': must.read(
    '`limit=1` returns 200 and at most 1 animal',
    smallLimit('list-1', 1),
  ),
  'LIST-9 s4-1-limit-maximum': must.read(
    '`limit=100` returns 200 and at most 100 animals',
    worstOf(
      eachOf((transcript) => listResponses(transcript).filter(isHundred), {
        expected: 'status 200',
        problem: ({ response: { status } }) => !isSuccess(status) && `returned ${status}`,
        ifNone: 'no list came back',
      }),
      atMost(maximumLimit, isHundred, 'no page with limit=100 has an animal'),
    ),
  ),
  'LIST-10 s4-1-limit-maximum': must.read(
    'no `limit` returns more than 100 animals: neither 101 nor 200 nor one beyond int64',
    anyOf(...['limit-101', 'limit-200', 'limit-beyond-int64'].map(excessiveLimit)),
  ),
  'LIST-11 s4-1-limit-invalid': should.read(
    '`limit` of 0, −1, 101 or `abc` returns a 4xx, or at most 100 animals (none, for 0, is valid)',
    worstOf(...['limit-0', 'limit-negative', 'limit-101', 'limit-word'].map(invalidLimit)),
  ),
  'LIST-19 s4-1-limit-monotonic': should.read(
    '`limit=100` returns no fewer animals than the default page',
    judgeLargeLimit,
  ),
  'LIST-20 s4-1-limit-kept': must.read(
    '`limit=2` returns 200 and at most 2 animals, `limit=50` at most 50',
    anyOf(smallLimit('list-2', 2), smallLimit('list-50', 50)),
  ),
}

function pagesWithStatus(transcript: Transcript): readonly Page[] {
  return filledPages(transcript).filter(({ elements }) =>
    elements.some((element) => isObject(element) && element.has('status')),
  )
}

/** Returns the pages that have an element. */
function filledPages(transcript: Transcript): readonly Page[] {
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
    const id = parsePet(element)?.id
    if (id !== undefined && seen.size === seen.add(id).size)
      return { text: `has the id ${id} more than once`, at: { path: [index, 'id'] } }
  }
  return undefined
}

function atMost(limit: number, isMeant: (list: Listing) => boolean, ifNone: string): Judge {
  return eachOf((transcript) => filledPages(transcript).filter(isMeant), {
    expected: `at most ${limit} animals`,
    problem: ({ elements }) => elements.length > limit && `has ${elements.length} animals`,
    ifNone,
    containedIn: (transcript) => successfulLists(transcript).filter(isMeant),
  })
}

function isHundred({ exchange: { request } }: RecordedResponse): boolean {
  return /[?&]limit=100$/.test(request.target)
}

function isPlain({ limit, status }: Listing): boolean {
  return limit === undefined && status === undefined
}

/** Only animals that did not change around a page count, as other clients may add and remove animals. */
function judgeDefaultLimit(transcript: Transcript): Finding {
  const all = pages(transcript)
  const plain = all.filter(isPlain)
  const odd = plain.find(
    ({ exchange, elements }) =>
      elements.length > defaultLimit ||
      (elements.length < defaultLimit && findSteadyAnimals(transcript, exchange).size > defaultLimit),
  )
  if (odd !== undefined) return broken('20 animals, as there are more', describeLength(odd), odd.id)
  const full = plain.find(({ elements }) => elements.length === defaultLimit)
  const more = all.find((page) => page.elements.length > defaultLimit || (isPlain(page) && linksNext(page)))
  return full !== undefined && more !== undefined
    ? holds('20 animals, although there are more', full.id, more.id)
    : nothingToJudge(transcript, 'no page shows more than 20 animals')
}

function describeLength({ exchange, elements }: Page): string {
  return `${formatRequestName(exchange)} has ${elements.length}`
}

/** A page proves that a limit holds only if another page shows that there are more animals than that. */
function smallLimit(id: string, limit: number): Judge {
  return onResponse(id, (judged, transcript) => {
    const { status } = judged
    if (status !== 200) return broken('status 200', `limit=${limit} returned ${status}`)
    return judgePage(transcript, judged, ({ elements: { length } }) => {
      if (length > limit)
        return broken(`at most ${plural(limit, 'animal')}`, `limit=${limit} returns ${length}`)
      const more = pages(transcript).find(({ elements }) => elements.length > limit)
      return length > 0 && more !== undefined
        ? holds(`${plural(length, 'animal')}, although ${describeLength(more)}`, id, more.id)
        : nothingToJudge(transcript, `no page shows more than ${plural(limit, 'animal')}`)
    })
  })
}

/** A 5xx returns no animals: ERR-6 and LIST-11 judge it. */
function excessiveLimit(id: string): Judge {
  const judge = invalidLimit(id)
  return onResponse(id, ({ status }, transcript) =>
    status >= 500 ? noEvidence(`the ${status} shows no page`) : judge(transcript),
  )
}

function invalidLimit(id: string): Judge {
  return judgeUnlessRejected(
    id,
    'a 4xx or at most 100 animals',
    ({ elements: { length } }, query, transcript) => {
      if (length > maximumLimit) return broken('a 4xx or at most 100 animals', `${query} returns ${length}`)
      return filledPages(transcript).length > 0
        ? holds(`${query} returns ${length}`)
        : nothingToJudge(transcript, 'no animal was listed')
    },
  )
}

/** Judges a query that may be rejected with a 4xx, or its page. A rejection proves nothing if no page has an animal. */
export function judgeUnlessRejected(
  id: string,
  expected: string,
  judge: (page: Page, query: string, transcript: Transcript) => Finding,
): Judge {
  return onResponse(id, (judged, transcript) => {
    const { exchange, status } = judged
    const query = exchange.request.target.split('?')[1] ?? ''
    if (isSuccess(status)) return judgePage(transcript, judged, (page) => judge(page, query, transcript))
    if (status < 400 || status >= 500) return broken(expected, `${query} returned ${status}`)
    return filledPages(transcript).length > 0
      ? holds(`${query} was rejected with ${status}`)
      : nothingToJudge(transcript, 'no animal was listed, so the rejection is no evidence')
  })
}

function judgeLargeLimit(transcript: Transcript): Finding {
  const all = pages(transcript)
  const plain = all.filter(isPlain)
  const large = all.filter(({ limit, status }) => limit === '100' && status === undefined)
  for (const page of large) {
    const steady = findSteadyAnimals(transcript, page.exchange, plain).size
    if (page.elements.length >= steady) continue
    return broken(`the ${steady} animals of the default page, or more`, describeLength(page), page.id)
  }
  const first = plain.find(({ elements }) => elements.length > 0)
  const enough = large.find(({ elements }) => first !== undefined && elements.length >= first.elements.length)
  if (first === undefined || enough === undefined)
    return nothingToJudge(transcript, 'the pages are empty, or other clients changed the list')
  const counts = `${enough.elements.length} animals with limit=100, ${first.elements.length} without`
  return holds(counts, enough.id, first.id)
}
