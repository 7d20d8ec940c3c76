import { isObject, type Json } from '../transcript/json.ts'
import {
  defaultLimit,
  isComplete,
  listResponses,
  type Page,
  pages,
  petsById,
  steadyAround,
  unreadLists,
} from '../transcript/pages.ts'
import { show } from '../transcript/pets.ts'
import { isSuccess, type RecordedResponse } from '../transcript/responses.ts'
import { requestName, type Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, brokenAt, holds, noEvidence } from './findings.ts'
import { nothingToJudge } from './judging.ts'
import { firstSent, judgeResponse } from './one-response.ts'
import type { Finding, Rule } from './rule.ts'

const read = rulesOf('read')

/** The `status` filter (sections 3 and 4.1). */
export const filterRules: readonly Rule[] = [
  read.must(
    'LIST-12',
    's3-filter',
    '`status=available` returns no animal of another status',
    judgeFilter('available'),
  ),
  read.must(
    'LIST-13',
    's3-filter',
    '`status=pending` returns no animal of another status',
    judgeFilter('pending'),
  ),
  read.must('LIST-14', 's3-filter', '`status=sold` returns no animal of another status', judgeFilter('sold')),
  read.must(
    'LIST-15',
    's3-filter-complete',
    'a filter hides nothing: an animal that the first and the last unfiltered page show with a status is on every complete page of that status',
    judgeNothingHidden,
  ),
  read.must('LIST-16', 's4-1-limit-and-status', '`limit` and `status` apply together', judgeTogether),
  read.should(
    'LIST-17',
    's3-filter-undeclared',
    'an undeclared status (a plain word, such as `lost`) returns a 4xx, or no animals of another status',
    judgeUndeclared,
  ),
]

/** Returns the first status on a page that is not the status of the filter. LIST-5 judges `null`. */
function otherStatus(elements: readonly Json[], filter: string): Json | undefined {
  for (const element of elements) {
    const status = statusOf(element)
    if (status !== undefined && status !== null && status !== filter) return status
  }
  return undefined
}

function statusOf(element: Json): Json | undefined {
  return isObject(element) ? element.get('status') : undefined
}

/** Judges the pages of a status, except for the page with `limit=1`. */
function judgeFilter(status: 'available' | 'pending' | 'sold'): Rule['judge'] {
  return (transcript) =>
    judgeResponse(transcript, firstSent(transcript, `list-${status}`, `list-${status}-100`), (recorded) => {
      const rejected = rejectedFor(transcript, status)
      if (rejected !== undefined) {
        return broken('status 200', `status=${status} returned ${rejected.response.status}`, rejected.id)
      }
      const asked = pages(transcript).filter((page) => page.status === status && page.limit !== '1')
      for (const { id, elements } of asked) {
        const other = otherStatus(elements, status)
        if (other !== undefined) {
          const index = elements.findIndex((element) => statusOf(element) === other)
          return brokenAt(
            { path: [index, 'status'] },
            `${status} animals only`,
            `status=${status} returns one with the status ${show(other)}`,
            id,
          )
        }
      }
      const unread = unreadLists(transcript).filter((list) => list.status === status && list.limit !== '1')
      if (unread.length > 0)
        return noEvidence('not every response can be read', ...unread.map(({ id }) => id))
      const evidence = asked.filter(({ elements }) =>
        elements.some((element) => statusOf(element) === status),
      )
      return evidence.length > 0
        ? holds(`${status} animals only`, ...evidence.map(({ id }) => id))
        : noEvidence(`no returned animal has a status: add one that is ${status}`, recorded.id)
    })
}

/** Returns a rejection of a request for the animals of a status. LIST-9 judges that every `limit=100` is rejected. */
function rejectedFor(transcript: Transcript, status: string): RecordedResponse | undefined {
  const rejected = listResponses(transcript).filter(({ response }) => !isSuccess(response.status))
  const isLimit = rejected.some(({ id }) => id === 'list-100')
  return rejected.find(({ id }) => id === `list-${status}` || (!isLimit && id === `list-${status}-100`))
}

function judgeNothingHidden(transcript: Transcript): Finding {
  const all = pages(transcript)
  const complete = all.filter((page) => page.status !== undefined && isComplete(page, all))
  const evidence: string[] = []
  for (const page of complete) {
    const steady = [...steadyAround(transcript, page.exchange).values()]
    const due = steady.filter(({ status }) => status === page.status)
    const hidden = due.find(({ id }) => !petsById(page).has(id))
    if (hidden !== undefined) {
      return broken(
        `animal ${hidden.id}, which is ${page.status}, on the page of its status`,
        `the complete page ${requestName(page.exchange)} without it`,
        page.id,
      )
    }
    if (due.length > 0) evidence.push(page.id)
  }
  return evidence.length > 0
    ? holds('every animal seen with a status is on its page', ...evidence)
    : nothingToJudge(transcript, 'no complete page of a status shows an animal that did not change')
}

/** Judges the lengths of all filtered pages, and the page with `limit=1`. Without `limit`, the default applies. */
function judgeTogether(transcript: Transcript): Finding {
  const all = pages(transcript)
  const long = all.find((page) => page.status !== undefined && page.elements.length > limitOf(page))
  if (long !== undefined) {
    return broken(
      `at most ${limitOf(long)} animals`,
      `${requestName(long.exchange)} has ${long.elements.length}`,
      long.id,
    )
  }
  return judgeResponse(transcript, 'list-status-1', (recorded) => {
    if (!isSuccess(recorded.response.status)) {
      return broken('status 200', `both together returned ${recorded.response.status}`, recorded.id)
    }
    const page = all.find(({ id }) => id === recorded.id)
    if (page?.status === undefined)
      return noEvidence('the response has no array that can be read', recorded.id)
    const { elements, status } = page
    const other = otherStatus(elements, status)
    if (other !== undefined) {
      return broken(`${status} animals only`, `with a limit, one has the status ${show(other)}`, page.id)
    }
    const more = all.find((fuller) => fuller.status === status && fuller.elements.length > elements.length)
    // evidence only if a server that ignores the filter would return another first animal
    const isEvidence = all.some(
      ({ status: filter, elements: [first] }) =>
        filter === undefined && first !== undefined && statusOf(first) !== status,
    )
    return elements.some((element) => statusOf(element) === status) && isEvidence && more !== undefined
      ? holds(`1 ${status} animal, where there are ${more.elements.length}`, page.id, more.id)
      : nothingToJudge(transcript, `too few animals show it: add two that are ${status}`, page.id)
  })
}

function limitOf({ limit }: Page): number {
  return Number(limit ?? defaultLimit)
}

function judgeUndeclared(transcript: Transcript): Finding {
  return judgeResponse(transcript, 'status-undeclared', (recorded) => {
    const { id, response } = recorded
    if (response.status >= 400 && response.status < 500) return judgeRejection(transcript, recorded)
    if (!isSuccess(response.status))
      return broken('a 4xx, or no animals', `it returned ${response.status}`, id)
    const page = pages(transcript).find((candidate) => candidate.id === id)
    if (page === undefined) return noEvidence('the response has no array that can be read', id)
    const other = otherStatus(page.elements, 'lost')
    if (other !== undefined) {
      return broken('a 4xx, or no animals', `status=lost returns one with the status ${show(other)}`, id)
    }
    const any = pages(transcript).find(({ elements }) =>
      elements.some((element) => statusOf(element) !== undefined),
    )
    return page.elements.length === 0 && any !== undefined
      ? holds('status=lost returns none, although there are animals', id, any.id)
      : nothingToJudge(transcript, 'no listed animal has a status', id)
  })
}

function judgeRejection(transcript: Transcript, { id, response }: RecordedResponse): Finding {
  return pages(transcript).some(({ elements }) => elements.length > 0)
    ? holds(`status=lost was rejected with ${response.status}`, id)
    : nothingToJudge(transcript, 'no animal was listed, so the rejection is no evidence', id)
}
