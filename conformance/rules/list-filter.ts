import { isObject, type Json } from '../transcript/json.ts'
import {
  defaultLimit,
  findUnchangedPets,
  getPetsById,
  isComplete,
  listPageResponses,
  listSuccessfulPages,
  type Page,
  parsePages,
} from '../transcript/pages.ts'
import { formatValue } from '../transcript/pets.ts'
import { pluralize } from '../transcript/printable.ts'
import { hasReadableBody, isSuccess, type RecordedResponse } from '../transcript/responses.ts'
import { formatRequestName, type Transcript } from '../transcript/transcript.ts'
import {
  broken,
  brokenAt,
  explainMissingEvidence,
  holds,
  judgeAny,
  judgePage,
  judgeResponse,
  noEvidence,
} from './judging.ts'
import { judgeUnlessRejected } from './list.ts'
import { type Finding, type Judge, must, type RuleDefinition, type RuleFamily, should } from './rule.ts'

const rejectedOrEmpty = 'a 4xx or an empty array'

/** Rules about the status filter (section 3). */
export const filterRules: RuleFamily = {
  'LIST-12 s3-filter': defineFilterRule('available'),
  'LIST-13 s3-filter': defineFilterRule('pending'),
  'LIST-14 s3-filter': defineFilterRule('sold'),
  'LIST-15 s3-filter-complete': must.read(
    'a filter hides no animal: if the first and the last unfiltered page show it with a status, so does every complete page with that filter',
    judgeNothingHidden,
  ),
  'LIST-16 s4-1-limit-and-status': must.read('`limit` and `status` apply together', judgeLimitWithStatus),
  'LIST-17 s3-filter-undeclared': should.read(
    'an undeclared status (`lost`, or `sol`, the beginning of `sold`) returns a 4xx, or no animals with another status',
    judgeAny(
      judgeUndeclaredStatus('status-undeclared', 'lost'),
      judgeUndeclaredStatus('status-beginning', 'sol'),
    ),
  ),
}

function judgeUndeclaredStatus(step: string, filter: string): Judge {
  return judgeUnlessRejected(step, rejectedOrEmpty, ({ id, elements }, query, transcript) => {
    const other = findOtherStatus(elements, filter)
    if (other !== undefined)
      return broken(rejectedOrEmpty, `${query} returned an animal with the status ${formatValue(other)}`)
    const hasStatus = (element: Json): boolean => readStatus(element) !== undefined
    const pageWithStatus = parsePages(transcript).find((page) => page.elements.some(hasStatus))
    return elements.length === 0 && pageWithStatus !== undefined
      ? holds(`${query} returned no animals, although some exist`, id, pageWithStatus.id)
      : explainMissingEvidence(transcript, 'no listed animal has a status')
  })
}

function findOtherStatus(elements: readonly Json[], filter: string): Json | undefined {
  return elements
    .map(readStatus)
    .find((status) => status !== undefined && status !== null && status !== filter)
}

function readStatus(element: Json): Json | undefined {
  return isObject(element) ? element.get('status') : undefined
}

/**
 * Defines the rule for one status. A page is evidence if it shows at least one animal with that status. The page with
 * `limit=1` is not judged.
 */
function defineFilterRule(status: 'available' | 'pending' | 'sold'): RuleDefinition {
  const judgeStatusPages = judgeResponse([`list-${status}`, `list-${status}-100`], (_, transcript) => {
    const rejected = findRejectedPage(transcript, status)
    if (rejected !== undefined)
      return broken('status 200', `status=${status} returned ${rejected.response.status}`, rejected.id)
    const isForStatus = (list: Pick<Page, 'status' | 'limit'>): boolean =>
      list.status === status && list.limit !== '1'
    const filteredPages = parsePages(transcript).filter(isForStatus)
    for (const { id, elements } of filteredPages) {
      const other = findOtherStatus(elements, status)
      if (other === undefined) continue
      const index = elements.findIndex((element) => readStatus(element) === other)
      const actualPage = `status=${status} returned an animal with the status ${formatValue(other)}`
      return brokenAt({ path: [index, 'status'] }, `only ${status} animals`, actualPage, id)
    }
    const unreadPages = listSuccessfulPages(transcript).filter(
      (list) => isForStatus(list) && !hasReadableBody(list),
    )
    if (unreadPages.length > 0)
      return noEvidence('the suite could not read every response', ...unreadPages.map(({ id }) => id))
    const decisivePages = filteredPages.filter(({ elements }) =>
      elements.some((element) => readStatus(element) === status),
    )
    return decisivePages.length > 0
      ? holds(`only ${status} animals`, ...decisivePages.map(({ id }) => id))
      : noEvidence(`no returned animal has a status: add an animal with the status ${status}`)
  })
  return must.read(`\`status=${status}\` returns no animal with another status`, judgeStatusPages)
}

/**
 * Finds the filtered page that was rejected. A rejected `limit=100` counts only if `limit=100` works without a filter.
 */
function findRejectedPage(transcript: Transcript, status: string): RecordedResponse | undefined {
  const rejectedPages = listPageResponses(transcript).filter(({ response }) => !isSuccess(response.status))
  const isLimit = rejectedPages.some(({ id }) => id === 'list-100')
  return rejectedPages.find(({ id }) => id === `list-${status}` || (!isLimit && id === `list-${status}-100`))
}

function judgeNothingHidden(transcript: Transcript): Finding {
  const pages = parsePages(transcript)
  const completePages = pages.filter((page) => page.status !== undefined && isComplete(page, pages))
  const evidenceIds: string[] = []
  for (const page of completePages) {
    const unchangedPets = [...findUnchangedPets(transcript, page.exchange).values()]
    const expectedPets = unchangedPets.filter(({ status }) => status === page.status)
    const hiddenPet = expectedPets.find(({ id }) => !getPetsById(page).has(id))
    if (hiddenPet !== undefined) {
      const actualPage = `${formatRequestName(page.exchange)}, a complete page that does not contain it`
      return broken(
        `the ${page.status} animal ${hiddenPet.id} on the page with its status`,
        actualPage,
        page.id,
      )
    }
    if (expectedPets.length > 0) evidenceIds.push(page.id)
  }
  return evidenceIds.length > 0
    ? holds('every animal with a status is on the page with that status', ...evidenceIds)
    : explainMissingEvidence(transcript, 'no complete filtered page shows an unchanged animal')
}

function judgeLimitWithStatus(transcript: Transcript): Finding {
  const readLimit = ({ limit }: Page): number => Number(limit ?? defaultLimit)
  const oversizedPage = parsePages(transcript).find(
    (page) => page.status !== undefined && page.elements.length > readLimit(page),
  )
  if (oversizedPage === undefined)
    return judgeAny(judgeFilteredPage('list-status-1'), judgeFilteredPage('list-new-status-1'))(transcript)
  const actualLength = `${formatRequestName(oversizedPage.exchange)} has ${pluralize(oversizedPage.elements.length, 'animal')}`
  return broken(`at most ${pluralize(readLimit(oversizedPage), 'animal')}`, actualLength, oversizedPage.id)
}

/** Judges the page with both a filter and a limit. */
function judgeFilteredPage(step: string): Judge {
  return judgeResponse(step, (judged, transcript) => {
    if (!isSuccess(judged.status))
      return broken('status 200', `the request with limit and status returned ${judged.status}`)
    return judgePage(transcript, judged, ({ id, elements, status = '' }) => {
      const other = findOtherStatus(elements, status)
      const actualPage = `the page with limit and status has an animal with the status ${formatValue(other)}`
      if (other !== undefined) return broken(`only ${status} animals`, actualPage)
      const pages = parsePages(transcript)
      // A server that ignores the filter would return this page's first animal.
      const unfiltered = pages.find(
        ({ status: filter, elements: [first] }) =>
          filter === undefined && first !== undefined && readStatus(first) !== status,
      )
      const reason = `too few animals are listed: add an animal whose status is not ${status}`
      if (unfiltered === undefined) return explainMissingEvidence(transcript, reason)
      const longer = pages.find((page) => page.status === status && page.elements.length > elements.length)
      const isShown = elements.some((element) => readStatus(element) === status)
      if (isShown && longer !== undefined)
        return holds(
          `the page has 1 ${status} animal, although ${longer.elements.length} exist`,
          id,
          longer.id,
        )
      const count = pluralize(elements.length, `${status} animal`)
      return isShown || (elements.length === 0 && longer === undefined)
        ? holds(`${count}, although others are listed`, id, unfiltered.id)
        : explainMissingEvidence(transcript, `the page shows no ${status} animal: see LIST-15`)
    })
  })
}
