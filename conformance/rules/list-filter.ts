import { isObject, type Json } from '../transcript/json.ts'
import {
  defaultLimit,
  idsOn,
  isComplete,
  type Page,
  pages,
  steadyAround,
  unreadLists,
} from '../transcript/pages.ts'
import { show } from '../transcript/pets.ts'
import { isSuccess, type RecordedResponse } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence } from './findings.ts'
import { nothing } from './judging.ts'
import { judgeResponse } from './one-response.ts'
import type { Finding, Rule } from './rule.ts'

const read = rulesOf('read')

/** The filter of sections 3 and 4.1. */
export const filterRules: readonly Rule[] = [
  read.must(
    'LIST-12',
    '3',
    '`status=available` yields no animal of another status',
    judgeFilter('available'),
  ),
  read.must('LIST-13', '3', '`status=pending` yields no animal of another status', judgeFilter('pending')),
  read.must('LIST-14', '3', '`status=sold` yields no animal of another status', judgeFilter('sold')),
  read.must(
    'LIST-15',
    '3',
    'a filter hides nothing: an animal seen with that status in the unfiltered pages, the first and the last of the run alike, is on its filtered page when that page is complete',
    judgeNothingHidden,
  ),
  read.must('LIST-16', '4.1', '`limit` and `status` hold together', judgeTogether),
  read.should(
    'LIST-17',
    '3',
    'an undeclared status (a plain word, such as `lost`) yields no animals of another status: a 4xx, or none',
    judgeUndeclared,
  ),
]

/** The first element whose status is another than the filter's; `null` is LIST-5's to judge. */
function stranger(elements: readonly Json[], wanted: string): Json | undefined {
  for (const element of elements) {
    const status = statusOf(element)
    if (status !== undefined && status !== null && status !== wanted) return status
  }
  return undefined
}

function statusOf(element: Json): Json | undefined {
  return isObject(element) ? element.get('status') : undefined
}

/** Judges the pages that ask for one status and no limit, and those with the largest limit. */
function judgeFilter(status: string): Rule['judge'] {
  return (transcript) =>
    judgeResponse(transcript, `list-${status}`, (recorded) => {
      if (!isSuccess(recorded.response.status)) {
        return broken('status 200', `status=${status} returned ${recorded.response.status}`, recorded.id)
      }
      const asked = pages(transcript).filter((page) => page.status === status && page.limit !== '1')
      for (const { id, elements } of asked) {
        const other = stranger(elements, status)
        if (other !== undefined) {
          return broken(
            `${status} animals only`,
            `status=${status} yields one whose status is ${show(other)}`,
            id,
          )
        }
      }
      const unread = unreadLists(transcript).filter((list) => list.status === status && list.limit !== '1')
      if (unread.length > 0)
        return noEvidence('not every response can be read', ...unread.map(({ id }) => id))
      const telling = asked.filter(({ elements }) => elements.some((element) => statusOf(element) === status))
      return telling.length > 0
        ? holds(`${status} animals only`, ...telling.map(({ id }) => id))
        : noEvidence(`no animal that the filter yields has a status: add one that is ${status}`, recorded.id)
    })
}

function judgeNothingHidden(transcript: Transcript): Finding {
  const all = pages(transcript)
  const complete = all.filter((page) => page.status !== undefined && isComplete(page, all))
  const telling: string[] = []
  for (const page of complete) {
    const steady = [...steadyAround(transcript, page.exchange).values()]
    const due = steady.filter(({ status }) => status === page.status)
    const hidden = due.find(({ id }) => !idsOn(page).has(id))
    if (hidden !== undefined) {
      return broken(
        `animal ${hidden.id}, which is ${page.status}, on the page of its status`,
        `${page.id} is complete without it`,
        page.id,
      )
    }
    if (due.length > 0) telling.push(page.id)
  }
  return telling.length > 0
    ? holds('every animal seen with a status is on its page', ...telling)
    : nothing(transcript, 'no complete page of a status that an animal had all along')
}

/** A filtered page without a limit has the default one. */
function judgeTogether(transcript: Transcript): Finding {
  const all = pages(transcript)
  const long = all.find((page) => page.status !== undefined && page.elements.length > limitOf(page))
  if (long !== undefined) {
    return broken(`at most ${limitOf(long)} animals`, `${long.id} holds ${long.elements.length}`, long.id)
  }
  return judgeResponse(transcript, 'list-status-1', (recorded) => {
    if (!isSuccess(recorded.response.status)) {
      return broken('status 200', `both together returned ${recorded.response.status}`, recorded.id)
    }
    const page = all.find(({ id }) => id === recorded.id)
    if (page?.status === undefined)
      return noEvidence('the response holds no array that can be read', recorded.id)
    const { elements, status } = page
    const other = stranger(elements, status)
    if (other !== undefined) {
      return broken(
        `${status} animals only`,
        `with a limit there is one whose status is ${show(other)}`,
        page.id,
      )
    }
    const more = all.find((fuller) => fuller.status === status && fuller.elements.length > elements.length)
    // were the filter forgotten, the page would begin as the unfiltered ones do
    const isTelling = all.some(
      ({ status: filter, elements: [first] }) =>
        filter === undefined && first !== undefined && statusOf(first) !== status,
    )
    return elements.some((element) => statusOf(element) === status) && isTelling && more !== undefined
      ? holds(`1 ${status} animal, where there are ${more.elements.length}`, page.id, more.id)
      : nothing(transcript, `too few animals show it: add two that are ${status}`, page.id)
  })
}

function limitOf({ limit }: Page): number {
  return Number(limit ?? defaultLimit)
}

function judgeUndeclared(transcript: Transcript): Finding {
  return judgeResponse(transcript, 'status-undeclared', (recorded) => {
    const { id, response } = recorded
    if (response.status >= 400 && response.status < 500) return judgeRejection(transcript, recorded)
    if (!isSuccess(response.status)) return broken('a 4xx, or no animals', `returned ${response.status}`, id)
    const page = pages(transcript).find((candidate) => candidate.id === id)
    if (page === undefined) return noEvidence('the response holds no array that can be read', id)
    const other = stranger(page.elements, 'lost')
    if (other !== undefined) {
      return broken('a 4xx, or no animals', `status=lost yields one whose status is ${show(other)}`, id)
    }
    const any = pages(transcript).find(({ elements }) =>
      elements.some((element) => statusOf(element) !== undefined),
    )
    return page.elements.length === 0 && any !== undefined
      ? holds('status=lost yields none, where there are animals', id, any.id)
      : nothing(transcript, 'no animal with a status was there to be yielded', id)
  })
}

function judgeRejection(transcript: Transcript, { id, response }: RecordedResponse): Finding {
  return pages(transcript).some(({ elements }) => elements.length > 0)
    ? holds(`status=lost was rejected with ${response.status}`, id)
    : nothing(transcript, 'no animal at all was listed, so the rejection proves nothing', id)
}
