import { isObject, type Json } from '../transcript/json.ts'
import {
  defaultLimit,
  findSteadyAnimals,
  isComplete,
  listResponses,
  type Page,
  pages,
  petsById,
  successfulLists,
} from '../transcript/pages.ts'
import { show } from '../transcript/pets.ts'
import { plural } from '../transcript/printable.ts'
import { isRead, isSuccess, type RecordedResponse } from '../transcript/responses.ts'
import { formatRequestName, type Transcript } from '../transcript/transcript.ts'
import {
  anyOf,
  broken,
  brokenAt,
  holds,
  judgePage,
  noEvidence,
  nothingToJudge,
  onResponse,
} from './judging.ts'
import { judgeUnlessRejected } from './list.ts'
import { type Family, type Finding, type Judge, must, type StatedRule, should } from './rule.ts'

const noAnimals = 'a 4xx, or no animals'

/** The `status` filter (sections 3 and 4.1). */
export const filterRules: Family = {
  'LIST-12 s3-filter': onlyStatus('available'),
  'LIST-13 s3-filter': onlyStatus('pending'),
  'LIST-14 s3-filter': onlyStatus('sold'),
  'LIST-15 s3-filter-complete': must.read(
    'a filter hides nothing: an animal that the first and the last unfiltered page show with a status is on every complete page of that status',
    judgeNothingHidden,
  ),
  'LIST-16 s4-1-limit-and-status': must.read('`limit` and `status` apply together', judgeTogether),
  'LIST-17 s3-filter-undeclared': should.read(
    'an undeclared status (a plain word, such as `lost`, and the beginning of a real one, `sol`) returns a 4xx, or no animals of another status',
    anyOf(undeclared('status-undeclared', 'lost'), undeclared('status-beginning', 'sol')),
  ),
}

function undeclared(step: string, filter: string): Judge {
  return judgeUnlessRejected(step, noAnimals, ({ id, elements }, query, transcript) => {
    const other = otherStatus(elements, filter)
    if (other !== undefined) return broken(noAnimals, `${query} returns one with the status ${show(other)}`)
    const isStated = (element: Json): boolean => readStatus(element) !== undefined
    const any = pages(transcript).find((page) => page.elements.some(isStated))
    return elements.length === 0 && any !== undefined
      ? holds(`${query} returns none, although there are animals`, id, any.id)
      : nothingToJudge(transcript, 'no listed animal has a status')
  })
}

/** Returns the first status on a page that is not the status of the filter. LIST-5 judges `null`. */
function otherStatus(elements: readonly Json[], filter: string): Json | undefined {
  return elements
    .map(readStatus)
    .find((status) => status !== undefined && status !== null && status !== filter)
}

function readStatus(element: Json): Json | undefined {
  return isObject(element) ? element.get('status') : undefined
}

/** Judges the pages of a status, except for the page with `limit=1`. */
function onlyStatus(status: 'available' | 'pending' | 'sold'): StatedRule {
  const judge = onResponse([`list-${status}`, `list-${status}-100`], (_, transcript) => {
    const rejected = rejectedFor(transcript, status)
    if (rejected !== undefined)
      return broken('status 200', `status=${status} returned ${rejected.response.status}`, rejected.id)
    const isMeant = (list: Pick<Page, 'status' | 'limit'>): boolean =>
      list.status === status && list.limit !== '1'
    const asked = pages(transcript).filter(isMeant)
    for (const { id, elements } of asked) {
      const other = otherStatus(elements, status)
      if (other === undefined) continue
      const index = elements.findIndex((element) => readStatus(element) === other)
      const got = `status=${status} returns one with the status ${show(other)}`
      return brokenAt({ path: [index, 'status'] }, `${status} animals only`, got, id)
    }
    const unread = successfulLists(transcript).filter((list) => isMeant(list) && !isRead(list))
    if (unread.length > 0) return noEvidence('not every response can be read', ...unread.map(({ id }) => id))
    const evidence = asked.filter(({ elements }) =>
      elements.some((element) => readStatus(element) === status),
    )
    return evidence.length > 0
      ? holds(`${status} animals only`, ...evidence.map(({ id }) => id))
      : noEvidence(`no returned animal has a status: add one that is ${status}`)
  })
  return must.read(`\`status=${status}\` returns no animal of another status`, judge)
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
    const steady = [...findSteadyAnimals(transcript, page.exchange).values()]
    const due = steady.filter(({ status }) => status === page.status)
    const hidden = due.find(({ id }) => !petsById(page).has(id))
    if (hidden !== undefined) {
      return broken(
        `animal ${hidden.id}, which is ${page.status}, on the page of its status`,
        `the complete page ${formatRequestName(page.exchange)} without the animal`,
        page.id,
      )
    }
    if (due.length > 0) evidence.push(page.id)
  }
  return evidence.length > 0
    ? holds('every animal seen with a status is on its page', ...evidence)
    : nothingToJudge(transcript, 'no complete page of a status shows an animal that did not change')
}

/** Judges the lengths of all filtered pages, and the pages with `limit=1`. Without `limit`, the default applies. */
function judgeTogether(transcript: Transcript): Finding {
  const readLimit = ({ limit }: Page): number => Number(limit ?? defaultLimit)
  const long = pages(transcript).find(
    (page) => page.status !== undefined && page.elements.length > readLimit(page),
  )
  if (long === undefined) return anyOf(judgeOne('list-status-1'), judgeOne('list-new-status-1'))(transcript)
  const got = `${formatRequestName(long.exchange)} has ${long.elements.length}`
  return broken(`at most ${plural(readLimit(long), 'animal')}`, got, long.id)
}

/** Judges a page with a filter and `limit=1`. A page without animals shows that the filter counts next to a limit. */
function judgeOne(step: string): Judge {
  return onResponse(step, (judged, transcript) => {
    if (!isSuccess(judged.status)) return broken('status 200', `both together returned ${judged.status}`)
    return judgePage(transcript, judged, ({ id, elements, status = '' }) => {
      const other = otherStatus(elements, status)
      if (other !== undefined)
        return broken(`${status} animals only`, `with a limit, one has the status ${show(other)}`)
      const all = pages(transcript)
      // evidence only if a server that ignores the filter would return another first animal
      const unfiltered = all.find(
        ({ status: filter, elements: [first] }) =>
          filter === undefined && first !== undefined && readStatus(first) !== status,
      )
      if (unfiltered === undefined)
        return nothingToJudge(transcript, `too few animals show it: add one that is not ${status}`)
      const more = all.find((fuller) => fuller.status === status && fuller.elements.length > elements.length)
      const isShown = elements.some((element) => readStatus(element) === status)
      if (isShown && more !== undefined)
        return holds(`1 ${status} animal, although there are ${more.elements.length}`, id, more.id)
      if (isShown || (elements.length === 0 && more === undefined))
        return holds(`${elements.length} ${status}, although the first on a page is not`, id, unfiltered.id)
      return nothingToJudge(transcript, `the page shows no ${status} animal: see LIST-15`)
    })
  })
}
