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
import { isSuccess, type RecordedResponse } from '../transcript/responses.ts'
import { requestName, type Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence } from './findings.ts'
import { judgeEach, nothingToJudge, worst } from './judging.ts'
import { firstSent, judgeResponse } from './one-response.ts'
import type { Finding, Rule } from './rule.ts'

const read = rulesOf('read')

/** `limit` and its default (section 4.1). */
export const limitRules: readonly Rule[] = [
  read.must('LIST-6', 's4-1-limit-default', 'a list without `limit` has at most 20 animals', (transcript) =>
    judgeEach(transcript, filled(transcript).filter(isPlain), {
      expected: 'at most 20 animals',
      problem: tooMany(defaultLimit),
      ifNone: 'no page without limit and filter has an animal',
      unread: unreadLists(transcript).filter(isPlain),
    }),
  ),
  read.should(
    'LIST-7',
    's4-1-limit-default-full',
    'a list without `limit` has exactly 20 animals when there are more than 20',
    judgeDefaultLimit,
  ),
  read.must('LIST-8', 's4-1-limit-minimum', '`limit=1` returns 200 and at most 1 animal', (transcript) =>
    judgeSmallLimit(transcript, firstSent(transcript, 'list-1', 'list-status-1'), 1),
  ),
  read.must(
    'LIST-9',
    's4-1-limit-maximum',
    '`limit=100` returns 200 and at most 100 animals',
    (transcript) => {
      const asked = listResponses(transcript).filter(({ exchange }) =>
        /[?&]limit=100$/.test(exchange.request.target),
      )
      const rejected = asked.find(({ response }) => !isSuccess(response.status))
      if (rejected !== undefined)
        return broken(
          'status 200',
          `${requestName(rejected.exchange)} returned ${rejected.response.status}`,
          rejected.id,
        )
      return judgeEach(
        transcript,
        filled(transcript).filter(({ limit }) => limit === '100'),
        {
          expected: 'at most 100 animals',
          problem: tooMany(maximumLimit),
          ifNone: 'no page with limit=100 has an animal',
          unread: unreadLists(transcript).filter(({ limit }) => limit === '100'),
        },
      )
    },
  ),
  read.must(
    'LIST-10',
    's4-1-limit-maximum',
    '`limit=101` never returns more than 100 animals',
    (transcript) => judgeResponse(transcript, 'limit-101', (recorded) => judgeBadLimit(transcript, recorded)),
  ),
  read.should(
    'LIST-11',
    's4-1-limit-invalid',
    '`limit` of 0, −1, 101 or `abc` returns a 4xx, or at most 100 animals (none, for 0, is fine)',
    (transcript) =>
      worst(
        (['limit-0', 'limit-negative', 'limit-101', 'limit-word'] as const).map((id) =>
          judgeResponse(transcript, id, (recorded) => judgeBadLimit(transcript, recorded)),
        ),
      ),
  ),
  read.should(
    'LIST-19',
    's4-1-limit-monotonic',
    '`limit=100` returns no fewer animals than the default page',
    judgeLargeLimit,
  ),
  read.must('LIST-20', 's4-1-limit-kept', '`limit=2` returns 200 and at most 2 animals', (transcript) =>
    judgeSmallLimit(transcript, 'list-2', 2),
  ),
]

function filled(transcript: Transcript): readonly Page[] {
  return pages(transcript).filter(({ elements }) => elements.length > 0)
}

function isPlain({ limit, status }: Listing): boolean {
  return limit === undefined && status === undefined
}

function tooMany(most: number): (page: Page) => string | undefined {
  return ({ elements }) => (elements.length > most ? `has ${elements.length} animals` : undefined)
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
  if (odd !== undefined)
    return broken(
      '20 animals, as there are more',
      `${requestName(odd.exchange)} has ${odd.elements.length}`,
      odd.id,
    )
  const full = plain.find(({ elements }) => elements.length === defaultLimit)
  const more = all.find((page) => page.elements.length > defaultLimit || (isPlain(page) && linksNext(page)))
  return full !== undefined && more !== undefined
    ? holds('20 animals, although there are more', full.id, more.id)
    : nothingToJudge(transcript, 'no page shows more than 20 animals')
}

/** A page proves that a limit holds only if another page shows that there are more animals than that. */
function judgeSmallLimit(transcript: Transcript, id: StepId, limit: number): Finding {
  return judgeResponse(transcript, id, ({ response: { status } }) => {
    if (status !== 200) return broken('status 200', `limit=${limit} returned ${status}`, id)
    const page = pages(transcript).find((candidate) => candidate.id === id)
    if (page === undefined) return noEvidence('the response has no array that can be read', id)
    const { length } = page.elements
    if (length > limit) return broken(`at most ${animals(limit)}`, `limit=${limit} returns ${length}`, id)
    const more = pages(transcript).find(({ elements }) => elements.length > limit)
    return length > 0 && more !== undefined
      ? holds(
          `${animals(length)}, although ${requestName(more.exchange)} has ${more.elements.length}`,
          id,
          more.id,
        )
      : nothingToJudge(transcript, `no page shows more than ${animals(limit)}`, id)
  })
}

function animals(count: number): string {
  return count === 1 ? '1 animal' : `${count} animals`
}

function judgeBadLimit(
  transcript: Transcript,
  { id, exchange, response: { status } }: RecordedResponse,
): Finding {
  const bounds = 'a 4xx or at most 100 animals'
  const query = exchange.request.target.split('?')[1]
  if (status >= 400 && status < 500) {
    return filled(transcript).length > 0
      ? holds(`${query} was rejected with ${status}`, id)
      : nothingToJudge(transcript, 'no animal was listed, so the rejection is no evidence', id)
  }
  if (!isSuccess(status)) return broken(bounds, `${query} returned ${status}`, id)
  const page = pages(transcript).find((candidate) => candidate.id === id)
  if (page === undefined) return noEvidence('the response has no array that can be read', id)
  const { length } = page.elements
  if (length > maximumLimit) return broken(bounds, `${query} returns ${length}`, id)
  return filled(transcript).length > 0
    ? holds(`${query} returns ${length}`, id)
    : nothingToJudge(transcript, 'no animal was listed', id)
}

function judgeLargeLimit(transcript: Transcript): Finding {
  const all = pages(transcript)
  const plain = all.filter(isPlain)
  const large = all.filter(({ limit, status }) => limit === '100' && status === undefined)
  for (const page of large) {
    const steady = steadyAround(transcript, page.exchange, plain).size
    if (page.elements.length < steady) {
      return broken(
        `the ${steady} animals of the default page, or more`,
        `${requestName(page.exchange)} has ${page.elements.length}`,
        page.id,
      )
    }
  }
  const first = plain.find(({ elements }) => elements.length > 0)
  const enough = large.find(({ elements }) => first !== undefined && elements.length >= first.elements.length)
  return first !== undefined && enough !== undefined
    ? holds(
        `${enough.elements.length} animals with limit=100, ${first.elements.length} without`,
        enough.id,
        first.id,
      )
    : nothingToJudge(transcript, 'the pages are empty, or other clients changed the list')
}
