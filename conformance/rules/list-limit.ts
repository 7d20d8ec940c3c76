import type { StepId } from '../steps/step.ts'
import {
  defaultLimit,
  type Listing,
  linksNext,
  listResponses,
  maximumLimit,
  type Page,
  pages,
  steadyAround,
  unreadLists,
} from '../transcript/pages.ts'
import { isSuccess } from '../transcript/responses.ts'
import { requestName, type Transcript } from '../transcript/transcript.ts'
import { broken, eachOf, holds, judgePage, nothingToJudge, onResponse, worstOf } from './judging.ts'
import { filledPages } from './list.ts'
import type { Finding, Judge, Judges } from './rule.ts'

/** `limit` and its default (section 4.1). */
export const limitJudges: Judges<'LIST', 6 | 7 | 8 | 9 | 10 | 11 | 19 | 20> = {
  'LIST-6': atMost(defaultLimit, isPlain, 'no page without limit and filter has an animal'),
  'LIST-7': judgeDefaultLimit,
  'LIST-8': smallLimit(['list-1', 'list-status-1'], 1),
  'LIST-9': (transcript) => {
    const rejected = listResponses(transcript).find(
      ({ exchange: { request }, response: { status } }) =>
        /[?&]limit=100$/.test(request.target) && !isSuccess(status),
    )
    if (rejected === undefined) return judgeHundred(transcript)
    const { id, exchange, response } = rejected
    return broken('status 200', `${requestName(exchange)} returned ${response.status}`, id)
  },
  'LIST-10': invalidLimit('limit-101'),
  'LIST-11': worstOf(
    ...(['limit-0', 'limit-negative', 'limit-101', 'limit-word'] as const).map(invalidLimit),
  ),
  'LIST-19': judgeLargeLimit,
  'LIST-20': smallLimit(['list-2'], 2),
}

function atMost(limit: number, isMeant: (list: Listing) => boolean, ifNone: string): Judge {
  return eachOf((transcript) => filledPages(transcript).filter(isMeant), {
    expected: `at most ${limit} animals`,
    problem: ({ elements }) => elements.length > limit && `has ${elements.length} animals`,
    ifNone,
    unread: (transcript) => unreadLists(transcript).filter(isMeant),
  })
}

function judgeHundred(transcript: Transcript): Finding {
  const ifNone = 'no page with limit=100 has an animal'
  return atMost(maximumLimit, ({ limit }) => limit === '100', ifNone)(transcript)
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
      (elements.length < defaultLimit && steadyAround(transcript, exchange).size > defaultLimit),
  )
  if (odd !== undefined) return broken('20 animals, as there are more', lengthOf(odd), odd.id)
  const full = plain.find(({ elements }) => elements.length === defaultLimit)
  const more = all.find((page) => page.elements.length > defaultLimit || (isPlain(page) && linksNext(page)))
  return full !== undefined && more !== undefined
    ? holds('20 animals, although there are more', full.id, more.id)
    : nothingToJudge(transcript, 'no page shows more than 20 animals')
}

function lengthOf({ exchange, elements }: Page): string {
  return `${requestName(exchange)} has ${elements.length}`
}

/** A page proves that a limit holds only if another page shows that there are more animals than that. */
function smallLimit(ids: readonly [StepId, ...StepId[]], limit: number): Judge {
  const animals = (count: number): string => (count === 1 ? '1 animal' : `${count} animals`)
  return onResponse(ids, (judged, transcript) => {
    const { id, status } = judged
    if (status !== 200) return broken('status 200', `limit=${limit} returned ${status}`)
    return judgePage(transcript, judged, ({ elements: { length } }) => {
      if (length > limit) return broken(`at most ${animals(limit)}`, `limit=${limit} returns ${length}`)
      const more = pages(transcript).find(({ elements }) => elements.length > limit)
      return length > 0 && more !== undefined
        ? holds(`${animals(length)}, although ${lengthOf(more)}`, id, more.id)
        : nothingToJudge(transcript, `no page shows more than ${animals(limit)}`)
    })
  })
}

function invalidLimit(id: StepId): Judge {
  return onResponse(id, (judged, transcript) => {
    const { exchange, status } = judged
    const bounds = 'a 4xx or at most 100 animals'
    const query = exchange.request.target.split('?')[1]
    const isListed = filledPages(transcript).length > 0
    if (status >= 400 && status < 500) {
      return isListed
        ? holds(`${query} was rejected with ${status}`)
        : nothingToJudge(transcript, 'no animal was listed, so the rejection is no evidence')
    }
    if (!isSuccess(status)) return broken(bounds, `${query} returned ${status}`)
    return judgePage(transcript, judged, ({ elements: { length } }) => {
      if (length > maximumLimit) return broken(bounds, `${query} returns ${length}`)
      return isListed
        ? holds(`${query} returns ${length}`)
        : nothingToJudge(transcript, 'no animal was listed')
    })
  })
}

function judgeLargeLimit(transcript: Transcript): Finding {
  const all = pages(transcript)
  const plain = all.filter(isPlain)
  const large = all.filter(({ limit, status }) => limit === '100' && status === undefined)
  for (const page of large) {
    const steady = steadyAround(transcript, page.exchange, plain).size
    if (page.elements.length >= steady) continue
    return broken(`the ${steady} animals of the default page, or more`, lengthOf(page), page.id)
  }
  const first = plain.find(({ elements }) => elements.length > 0)
  const enough = large.find(({ elements }) => first !== undefined && elements.length >= first.elements.length)
  if (first === undefined || enough === undefined)
    return nothingToJudge(transcript, 'the pages are empty, or other clients changed the list')
  const counts = `${enough.elements.length} animals with limit=100, ${first.elements.length} without`
  return holds(counts, enough.id, first.id)
}
