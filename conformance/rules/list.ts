import { isObject, type Json } from '../transcript/json.ts'
import { listResponses, type Page, pages, servedLists, unreadLists } from '../transcript/pages.ts'
import { type PetFault, petFault, petOf, show, statusProblem } from '../transcript/pets.ts'
import { isSuccess, jsonOf } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { rulesOf } from './define.ts'
import { notApplicable } from './findings.ts'
import { judgeEach, judgeTypes, type PlacedProblem, placed } from './judging.ts'
import type { Rule } from './rule.ts'

const read = rulesOf('read')

/** Pages and their elements (sections 2 and 4.1). */
export const listRules: readonly Rule[] = [
  read.must('LIST-1', 's4-1-list', '`GET /pets` with a key returns 200', (transcript) =>
    judgeEach(transcript, listResponses(transcript), {
      expected: 'status 200',
      // other rules judge which queries succeed; a response that succeeds has the status 200, whatever its query
      problem: ({ exchange: { request }, response: { status } }) =>
        status !== 200 && (request.target === '/pets' || isSuccess(status))
          ? `returned ${status}`
          : undefined,
      ifNone: 'no list came back',
    }),
  ),
  read.must('LIST-2', 's4-json', 'a list has the content type `application/json`', (transcript) =>
    judgeTypes(transcript, servedLists(transcript), 'no list was returned'),
  ),
  read.must('LIST-3', 's2-bare-array', 'a list is a bare array', (transcript) =>
    judgeEach(transcript, servedLists(transcript), {
      expected: 'a bare JSON array',
      problem: ({ response }) => {
        const body = jsonOf(response)
        return Array.isArray(body)
          ? undefined
          : { text: `has ${body === undefined ? 'no JSON' : show(body)}`, at: { path: [] } }
      },
      ifNone: 'no list was returned',
      unread: unreadLists(transcript),
    }),
  ),
  read.must(
    'LIST-4',
    's2-required-fields',
    'every listed animal has the required fields of Pet, each of its type: `id` and `categoryId` integers within int64, `name` a string',
    (transcript) =>
      judgeEach(transcript, filledPages(transcript), {
        expected: 'elements with an int64 id, a string name and an int64 categoryId',
        problem: (page) => (page.pets.length < page.elements.length ? petProblemOn(page) : undefined),
        ifNone: 'every page was empty',
        unread: unreadLists(transcript),
      }),
  ),
  read.must(
    'LIST-5',
    's2-status-values',
    'the `status` of a listed animal, where it has one, is a PetStatus (`null` is not)',
    (transcript) => {
      const all = filledPages(transcript)
      const withStatus = all.filter(({ elements }) => elements.some(hasStatus))
      const unread = unreadLists(transcript)
      if (all.length > 0 && withStatus.length === 0 && unread.length === 0) {
        return notApplicable('no listed animal has a status')
      }
      return judgeEach(transcript, withStatus, {
        expected: 'available, pending or sold as the status of an element that has one',
        problem: elementProblem((element) => {
          const text = statusProblem(element)
          return text === undefined ? undefined : { text, member: 'status' }
        }),
        ifNone: 'every page was empty',
        unread,
      })
    },
  ),
  read.must('LIST-18', 's2-id-unique', 'no page has an id twice', (transcript) =>
    judgeEach(
      transcript,
      pages(transcript).filter(({ pets }) => pets.length > 1),
      {
        expected: 'every id once on a page',
        problem: (page) => {
          const twice = idTwice(page)
          return placed(twice && `has the id ${twice.id} more than once`, { path: [twice?.index ?? 0, 'id'] })
        },
        ifNone: 'no page has two animals',
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

/** Returns the problem of the first element of a page that has one, with the index and the id of the element. */
function elementProblem(
  faultOf: (element: Json) => PetFault | undefined,
): (page: Page) => PlacedProblem | undefined {
  return ({ elements }) => {
    const index = elements.findIndex((element) => faultOf(element) !== undefined)
    const element = elements[index]
    const fault = element === undefined ? undefined : faultOf(element)
    if (fault === undefined) return undefined
    const id = isObject(element) && fault.member !== 'id' ? element.get('id') : undefined
    const named = `index ${index}${id === undefined ? '' : `, id ${show(id)}`}`
    return {
      text: `has an element (${named}) that ${fault.text}`,
      at: { path: [index, ...(fault.member === undefined ? [] : [fault.member])] },
    }
  }
}

const petProblemOn = elementProblem(petFault)

/** Returns the second element of a page that has one id. */
function idTwice({ elements }: Page): { readonly id: Json; readonly index: number } | undefined {
  const seen = new Set<Json>()
  for (const [index, element] of elements.entries()) {
    const id = petOf(element)?.id
    if (id !== undefined && seen.size === seen.add(id).size) return { id, index }
  }
  return undefined
}
