import { isObject, type Json } from '../transcript/json.ts'
import { listResponses, type Page, pages, servedLists, unreadLists } from '../transcript/pages.ts'
import { petProblem, show, statusProblem } from '../transcript/pets.ts'
import { isSuccess, jsonOf } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { notApplicable } from './findings.ts'
import { judgeEach, judgeTypes } from './judging.ts'
import type { Rule } from './rule.ts'

const read = rulesOf('read')

/** Pages and what is on them (sections 2 and 4.1). */
export const listRules: readonly Rule[] = [
  read.must('LIST-1', '4.1', '`GET /pets` with a key: 200', (transcript) =>
    judgeEach(transcript, listResponses(transcript), {
      expected: 'status 200',
      // another rule speaks of each query; a page that is served is served with 200 whatever the query
      fault: ({ exchange: { request }, response: { status } }) =>
        status !== 200 && (request.target === '/pets' || isSuccess(status))
          ? `returned ${status}`
          : undefined,
      ifNone: 'no list came back',
    }),
  ),
  read.must('LIST-2', '4', 'content type `application/json`', (transcript) =>
    judgeTypes(transcript, servedLists(transcript), 'no list was served'),
  ),
  read.must('LIST-3', '2', 'a bare array', (transcript) =>
    judgeEach(transcript, servedLists(transcript), {
      expected: 'a bare JSON array',
      fault: ({ response }) => {
        const body = jsonOf(response)
        return Array.isArray(body) ? undefined : `holds ${body === undefined ? 'no JSON' : show(body)}`
      },
      ifNone: 'no list was served',
      unread: unreadLists(transcript),
    }),
  ),
  read.must(
    'LIST-4',
    '2',
    'every element has the required fields of Pet, each of its type: `id` and `categoryId` integers within int64, `name` a string',
    (transcript) =>
      judgeEach(transcript, filledPages(transcript), {
        expected: 'elements with an int64 id, a string name and an int64 categoryId',
        fault: elementProblem(petProblem),
        ifNone: 'every page was empty',
        unread: unreadLists(transcript),
      }),
  ),
  read.must(
    'LIST-5',
    '2',
    'an element’s `status`, where present, is a PetStatus (`null` is not)',
    (transcript) => {
      const all = filledPages(transcript)
      const withStatus = all.filter(({ elements }) => elements.some(hasStatus))
      const unread = unreadLists(transcript)
      if (all.length > 0 && withStatus.length === 0 && unread.length === 0) {
        return notApplicable('no listed animal has a status')
      }
      return judgeEach(transcript, withStatus, {
        expected: 'available, pending or sold as the status of an element that has one',
        fault: elementProblem(statusProblem),
        ifNone: 'every page was empty',
        unread,
      })
    },
  ),
  read.must('LIST-18', '2', 'no id twice on a page', (transcript) =>
    judgeEach(
      transcript,
      pages(transcript).filter(({ pets }) => pets.length > 1),
      {
        expected: 'every id once on a page',
        fault: (page) => {
          const twice = idTwice(page)
          return twice === undefined ? undefined : `holds the id ${twice} more than once`
        },
        ifNone: 'no page held two animals',
        unread: unreadLists(transcript),
      },
    ),
  ),
]

function filledPages(transcript: Transcript): readonly Page[] {
  return pages(transcript).filter(({ elements }) => elements.length > 0)
}

function hasStatus(element: Json): boolean {
  return isObject(element) && element.has('status')
}

/** Judges a page by its first element with a fault. */
function elementProblem(
  problemOf: (element: Json) => string | undefined,
): (page: Page) => string | undefined {
  return ({ elements }) => {
    for (const element of elements) {
      const fault = problemOf(element)
      if (fault !== undefined) return `has an element that ${fault}`
    }
    return undefined
  }
}

function idTwice({ pets }: Page): bigint | undefined {
  const seen = new Set<bigint>()
  return pets.find(({ id }) => seen.size === seen.add(id).size)?.id
}
