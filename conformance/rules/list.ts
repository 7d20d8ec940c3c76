import { isObject, type Json } from '../transcript/json.ts'
import {
  defaultLimit,
  findUnchangedPets,
  hasNextLink,
  type Listing,
  listPageResponses,
  listReadablePages,
  listSuccessfulPages,
  maxLimit,
  type Page,
  parsePages,
} from '../transcript/pages.ts'
import {
  findPetProblem,
  findStatusProblem,
  formatValue,
  type PetProblem,
  parsePet,
} from '../transcript/pets.ts'
import { pluralize } from '../transcript/printable.ts'
import { describeInvalidJson, isSuccess, parseBody, type RecordedResponse } from '../transcript/responses.ts'
import { formatRequestName, type Transcript } from '../transcript/transcript.ts'
import {
  broken,
  explainMissingEvidence,
  holds,
  judgeAll,
  judgeAny,
  judgeContentTypes,
  judgeEach,
  judgePage,
  judgeResponse,
  noEvidence,
  type PlacedProblem,
} from './judging.ts'
import { type Finding, type Judge, must, type RuleFamily, should } from './rule.ts'

/** Rules about listPets without a status filter (sections 2 and 4.1). */
export const listRules: RuleFamily = {
  'LIST-1 s4-1-list': must.read(
    '`GET /pets` with a key returns 200',
    judgeEach(listPageResponses, {
      expected: 'status 200',
      // Other rules judge rejected queries. A successful response must be a 200 for every query.
      findProblem: ({ exchange: { request }, response: { status } }) =>
        status !== 200 && (request.target === '/pets' || isSuccess(status)) && `returned ${status}`,
      reasonIfNone: 'no listPets request returned a list',
    }),
  ),
  'LIST-2 s4-json': must.read(
    'a list has the content type `application/json`',
    judgeContentTypes(listReadablePages, 'no listPets request returned a list'),
  ),
  'LIST-3 s2-bare-array': must.read(
    'a list is a bare array',
    judgeEach(listReadablePages, {
      expected: 'a bare JSON array',
      findProblem: ({ response }) => {
        const body = parseBody(response)
        if (body === undefined) return `has a body that ${describeInvalidJson(response)}`
        return !Array.isArray(body) && `has ${formatValue(body)}`
      },
      at: () => ({ path: [] }),
      reasonIfNone: 'no listPets request returned a list',
      sources: listSuccessfulPages,
    }),
  ),
  'LIST-4 s2-required-fields': must.read(
    'every listed animal has the required Pet fields: `id` and `categoryId` as int64 integers, `name` as a string',
    judgeEach(listNonEmptyPages, {
      expected: 'elements with an int64 id, a string name and an int64 categoryId',
      findProblem: (page) =>
        page.pets.length < page.elements.length && findElementProblem(page, findPetProblem),
      reasonIfNone: 'every page was empty',
      sources: listSuccessfulPages,
    }),
  ),
  'LIST-5 s2-status-values': must.read(
    'the `status` of a listed animal, if present, is a PetStatus (not `null`)',
    judgeEach(listPagesWithStatus, {
      expected: 'available, pending or sold as the status, if present',
      findProblem: (page) =>
        findElementProblem(page, (element) => {
          const text = findStatusProblem(element)
          return text === undefined ? undefined : { text, member: 'status' }
        }),
      reasonIfNone: 'no listed animal has a status',
      candidates: listNonEmptyPages,
      sources: listSuccessfulPages,
    }),
  ),
  'LIST-18 s2-id-unique': must.read(
    'no page shows an id twice',
    judgeEach((transcript) => parsePages(transcript).filter(({ pets }) => pets.length > 1), {
      expected: 'each id only once per page',
      findProblem: findDuplicateId,
      reasonIfNone: 'no page has two animals',
      sources: listSuccessfulPages,
    }),
  ),
  'LIST-6 s4-1-limit-default': must.read(
    'a list without `limit` has at most 20 animals',
    judgeAtMost(defaultLimit, isDefaultPage, 'every page requested without limit and status was empty'),
  ),
  'LIST-7 s4-1-limit-default-full': should.read(
    'a list without `limit` has exactly 20 animals when there are more than 20',
    judgeDefaultLimit,
  ),
  'LIST-8 s4-1-limit-minimum': must.read(
    '`limit=1` returns 200 and at most 1 animal',
    judgeSmallLimit('list-1', 1),
  ),
  'LIST-9 s4-1-limit-maximum': must.read(
    '`limit=100` returns 200 and at most 100 animals',
    judgeAll(
      judgeEach((transcript) => listPageResponses(transcript).filter(hasLimit100), {
        expected: 'status 200',
        findProblem: ({ response: { status } }) => !isSuccess(status) && `returned ${status}`,
        reasonIfNone: 'no listPets request returned a list',
      }),
      judgeAtMost(maxLimit, hasLimit100, 'every page with limit=100 was empty'),
    ),
  ),
  'LIST-10 s4-1-limit-maximum': must.read(
    'no `limit` returns more than 100 animals: not 101, 200 or a value beyond int64',
    judgeAny(...['limit-101', 'limit-200', 'limit-beyond-int64'].map(judgeExcessiveLimit)),
  ),
  'LIST-11 s4-1-limit-invalid': should.read(
    'a `limit` of 0, −1, 101 or `abc` returns a 4xx or at most 100 animals (none is valid for 0)',
    judgeAll(...['limit-0', 'limit-negative', 'limit-101', 'limit-word'].map(judgeInvalidLimit)),
  ),
  'LIST-19 s4-1-limit-monotonic': should.read(
    '`limit=100` returns no fewer animals than the default page',
    judgeLargeLimit,
  ),
  'LIST-20 s4-1-limit-kept': must.read(
    '`limit=2` returns 200 and at most 2 animals, `limit=50` at most 50',
    judgeAny(judgeSmallLimit('list-2', 2), judgeSmallLimit('list-50', 50)),
  ),
}

function listPagesWithStatus(transcript: Transcript): readonly Page[] {
  return listNonEmptyPages(transcript).filter(({ elements }) =>
    elements.some((element) => isObject(element) && element.has('status')),
  )
}

function listNonEmptyPages(transcript: Transcript): readonly Page[] {
  return parsePages(transcript).filter(({ elements }) => elements.length > 0)
}

/** Finds the first array element with a problem. */
function findElementProblem(
  { elements }: Page,
  findProblem: (element: Json) => PetProblem | undefined,
): PlacedProblem | undefined {
  for (const [index, element] of elements.entries()) {
    const problem = findProblem(element)
    if (problem === undefined) continue
    const { text, member } = problem
    const id = isObject(element) && member !== 'id' ? element.get('id') : undefined
    const elementName = `index ${index}${id === undefined ? '' : `, id ${formatValue(id)}`}`
    const path = member === undefined ? [index] : [index, member]
    return { text: `has an element (${elementName}) that ${text}`, at: { path } }
  }
  return undefined
}

function findDuplicateId({ elements }: Page): PlacedProblem | undefined {
  const seenIds = new Set<Json>()
  for (const [index, element] of elements.entries()) {
    const id = parsePet(element)?.id
    if (id !== undefined && seenIds.size === seenIds.add(id).size)
      return { text: `has the id ${id} more than once`, at: { path: [index, 'id'] } }
  }
  return undefined
}

function judgeAtMost(limit: number, isMeant: (list: Listing) => boolean, reasonIfNone: string): Judge {
  return judgeEach((transcript) => listNonEmptyPages(transcript).filter(isMeant), {
    expected: `at most ${limit} animals`,
    findProblem: ({ elements }) => elements.length > limit && `has ${elements.length} animals`,
    reasonIfNone,
    sources: (transcript) => listSuccessfulPages(transcript).filter(isMeant),
  })
}

function hasLimit100({ exchange: { request } }: RecordedResponse): boolean {
  return /[?&]limit=100$/.test(request.target)
}

function isDefaultPage({ limit, status }: Listing): boolean {
  return limit === undefined && status === undefined
}

/** A shorter page is broken only if animals that did not change are missing from it. */
function judgeDefaultLimit(transcript: Transcript): Finding {
  const pages = parsePages(transcript)
  const defaultPages = pages.filter(isDefaultPage)
  const wrongPage = defaultPages.find(
    ({ exchange, elements }) =>
      elements.length > defaultLimit ||
      (elements.length < defaultLimit && findUnchangedPets(transcript, exchange).size > defaultLimit),
  )
  if (wrongPage !== undefined)
    return broken('exactly 20 animals, because more exist', describeLength(wrongPage), wrongPage.id)
  const fullPage = defaultPages.find(({ elements }) => elements.length === defaultLimit)
  const longerPage = pages.find(
    (page) => page.elements.length > defaultLimit || (isDefaultPage(page) && hasNextLink(page)),
  )
  return fullPage !== undefined && longerPage !== undefined
    ? holds('20 animals, and more exist', fullPage.id, longerPage.id)
    : explainMissingEvidence(transcript, 'no page shows more than 20 animals')
}

function describeLength({ exchange, elements }: Page): string {
  return `${formatRequestName(exchange)} has ${pluralize(elements.length, 'animal')}`
}

/** Creates a judge for a small `limit`. The limit is proven only if another page is longer. */
function judgeSmallLimit(id: string, limit: number): Judge {
  const expected = pluralize(limit, 'animal')
  return judgeResponse(id, (judged, transcript) => {
    const { status } = judged
    if (status !== 200) return broken('status 200', `limit=${limit} returned ${status}`)
    return judgePage(transcript, judged, ({ elements: { length } }) => {
      const count = pluralize(length, 'animal')
      if (length > limit) return broken(`at most ${expected}`, `limit=${limit} returned ${count}`)
      const longer = parsePages(transcript).find(({ elements }) => elements.length > limit)
      return length > 0 && longer !== undefined
        ? holds(`${count}, although ${describeLength(longer)}`, id, longer.id)
        : explainMissingEvidence(transcript, `no page shows more than ${expected}`)
    })
  })
}

/** Judges a limit above 100. ERR-6 judges 5xx responses. */
function judgeExcessiveLimit(id: string): Judge {
  const judgeLimit = judgeInvalidLimit(id)
  return judgeResponse(id, ({ status }, transcript) =>
    status >= 500 ? noEvidence(`the ${status} response contains no list`) : judgeLimit(transcript),
  )
}

function judgeInvalidLimit(id: string): Judge {
  const expected = 'a 4xx or at most 100 animals'
  return judgeUnlessRejected(id, expected, ({ elements: { length } }, query, transcript) => {
    const actualPage = `${query} returned ${pluralize(length, 'animal')}`
    if (length > maxLimit) return broken(expected, actualPage)
    return listNonEmptyPages(transcript).length > 0
      ? holds(actualPage)
      : explainMissingEvidence(transcript, 'no listPets request returned an animal')
  })
}

/**
 * Creates a judge for a query that the server may reject. A 4xx is allowed, but is evidence only if animals were
 * listed.
 */
export function judgeUnlessRejected(
  id: string,
  expected: string,
  judge: (page: Page, query: string, transcript: Transcript) => Finding,
): Judge {
  return judgeResponse(id, (judged, transcript) => {
    const { exchange, status } = judged
    const query = exchange.request.target.split('?')[1] ?? ''
    if (isSuccess(status)) return judgePage(transcript, judged, (page) => judge(page, query, transcript))
    if (status < 400 || status >= 500) return broken(expected, `${query} returned ${status}`)
    if (listNonEmptyPages(transcript).length > 0) return holds(`${query} was rejected with ${status}`)
    const reason = 'no listPets request returned an animal, so the rejection proves nothing'
    return explainMissingEvidence(transcript, reason)
  })
}

function judgeLargeLimit(transcript: Transcript): Finding {
  const pages = parsePages(transcript)
  const defaultPages = pages.filter(isDefaultPage)
  const limit100Pages = pages.filter(({ limit, status }) => limit === '100' && status === undefined)
  for (const page of limit100Pages) {
    const unchangedCount = findUnchangedPets(transcript, page.exchange, defaultPages).size
    if (page.elements.length >= unchangedCount) continue
    return broken(`at least the ${unchangedCount} animals on the default page`, describeLength(page), page.id)
  }
  const short = defaultPages.find(({ elements }) => elements.length > 0)
  const long = limit100Pages.find(({ elements }) => elements.length >= (short?.elements.length ?? 0))
  if (short === undefined || long === undefined)
    return explainMissingEvidence(transcript, 'the pages are empty, or other clients changed the animals')
  const lengths = `${long.elements.length} animals with limit=100, ${short.elements.length} without a limit`
  return holds(lengths, long.id, short.id)
}
