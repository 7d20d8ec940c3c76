import type { Transcript } from '../transcript.ts'
import { isSuccess, jsonOf } from './answers.ts'
import { rulesOf } from './define.ts'
import { notApplicable } from './findings.ts'
import { isObject, type Json } from './json.ts'
import { judgeEach, judgeTypes } from './judging.ts'
import { listAnswers, pages, servedLists } from './pages.ts'
import { petFault, show, statusFault } from './pets.ts'
import type { Rule } from './rule.ts'

const read = rulesOf('read')

/** Pages and what is on them (sections 2 and 4.1). */
export const listRules: readonly Rule[] = [
  read.must('LIST-1', '4.1', '`GET /pets` with a key: 200', (transcript) =>
    judgeEach(transcript, listAnswers(transcript), {
      expected: 'status 200',
      // another rule speaks of each query; a page that is served is served with 200 whatever the query
      fault: ({ exchange: { request }, response: { status } }) =>
        status !== 200 && (request.target === '/pets' || isSuccess(status))
          ? `was answered with ${status}`
          : undefined,
      ifNone: 'no list was answered',
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
    }),
  ),
  read.must(
    'LIST-4',
    '2',
    'every element has the required fields of Pet, each of its type: `id` and `categoryId` integers within int64, `name` a string',
    (transcript) =>
      judgeEach(transcript, elementsOf(transcript), {
        expected: 'elements with an int64 id, a string name and an int64 categoryId',
        fault: ({ element }) => inPage(petFault(element)),
        ifNone: 'every page was empty',
      }),
  ),
  read.must(
    'LIST-5',
    '2',
    'an element’s `status`, where present, is a PetStatus (`null` is not)',
    (transcript) => {
      const all = elementsOf(transcript)
      const withStatus = all.filter(({ element }) => isObject(element) && element.has('status'))
      if (all.length > 0 && withStatus.length === 0) return notApplicable('no listed animal has a status')
      return judgeEach(transcript, withStatus, {
        expected: 'available, pending or sold as the status of an element that has one',
        fault: ({ element }) => inPage(statusFault(element)),
        ifNone: 'every page was empty',
      })
    },
  ),
  read.must('LIST-18', '2', 'no id twice on a page', (transcript) =>
    judgeEach(
      transcript,
      pages(transcript).filter(({ pets }) => pets.length > 1),
      {
        expected: 'every id once on a page',
        fault: ({ pets }) => {
          const ids = pets.map(({ id }) => id)
          const twice = ids.find((id, n) => ids.indexOf(id) !== n)
          return twice === undefined ? undefined : `holds the id ${twice} more than once`
        },
        ifNone: 'no page held two animals',
      },
    ),
  ),
]

interface Element {
  readonly id: string
  readonly element: Json
}

function elementsOf(transcript: Transcript): readonly Element[] {
  return pages(transcript).flatMap(({ id, elements }) => elements.map((element) => ({ id, element })))
}

function inPage(fault: string | undefined): string | undefined {
  return fault === undefined ? undefined : `has an element that ${fault}`
}
