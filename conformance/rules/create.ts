import type { ReceivedResponse, Transcript } from '../transcript.ts'
import { type Answer, isJsonType, isSuccess, jsonOf } from './answers.ts'
import { type Creation, creations, memberSent, onCreation, validCreations } from './creations.ts'
import { rulesOf } from './define.ts'
import { broken, holds, noEvidence } from './findings.ts'
import { isObject, type Json } from './json.ts'
import { judgeEach, nothing } from './judging.ts'
import { pages } from './pages.ts'
import { petFault, petStatuses, show, statusFault } from './pets.ts'
import type { Finding, Rule } from './rule.ts'

const create = rulesOf('create')

/** Sections 2, 3 and 4.2: valid bodies, and what they are answered with. */
export const createRules: readonly Rule[] = [
  create.must('CREATE-1', '4.2', 'a valid body: 201', (transcript) =>
    onCreation(transcript, 'create-available', (answer) => {
      const { id, response } = answer
      if (response.status === 400 && !isListedCategory(transcript, answer)) {
        return noEvidence('no animal is listed whose category could be used: give --category-id', id)
      }
      if (!isSuccess(response.status))
        return broken('status 201', `it was answered with ${response.status}`, id)
      return judgeEach(transcript, validCreations(transcript), {
        expected: 'status 201',
        fault: ({ response: { status } }) => (status === 201 ? undefined : `was answered with ${status}`),
        ifNone: 'no creation was accepted',
      })
    }),
  ),
  create.must('CREATE-2', '4.2', 'the answer is a Pet with an `id`', (transcript) =>
    judgeEach(
      transcript,
      validCreations(transcript).filter(({ response }) => !response.truncated),
      {
        expected: 'a Pet with an id',
        fault: ({ response }) => {
          const body = jsonOf(response)
          const fault = body === undefined ? 'is no JSON' : petFault(body)
          return fault === undefined ? undefined : `has a body that ${fault}`
        },
        ifNone: 'no creation was accepted',
      },
    ),
  ),
  create.must('CREATE-3', '4.2', '`name` and `categoryId` come back as sent', (transcript) =>
    judgeEach(
      transcript,
      validCreations(transcript)
        .filter(({ id }) => ordinary.includes(id))
        .flatMap((creation) => ['name', 'categoryId'].map((member) => ({ ...creation, member })))
        .filter(({ response, member }) => memberOf(response, member) !== undefined),
      {
        expected: 'the name and the categoryId that were sent',
        fault: (creation) => memberFault(creation, creation.member),
        ifNone: 'no creation was answered with a name or a categoryId',
      },
    ),
  ),
  create.must(
    'CREATE-4',
    '3',
    '`available`, `pending` and `sold` are each accepted, and none comes back as another',
    (transcript) => worst(petStatuses.map((status) => judgeAccepted(transcript, `create-${status}`, status))),
  ),
  create.must(
    'CREATE-5',
    '3',
    '`status` may be omitted; what comes back has none, or a PetStatus',
    (transcript) => judgeAccepted(transcript, 'create-no-status'),
  ),
  create.must(
    'CREATE-6',
    '2',
    'no two animals get the same id, and no new one an id already listed',
    judgeIds,
  ),
  create.must(
    'CREATE-21',
    '2',
    'an int64 that a double cannot hold (9007199254740993) comes back digit for digit',
    (transcript) => judgeReturned(transcript, 'create-int64', 'categoryId'),
  ),
  create.must(
    'CREATE-22',
    '2',
    'a name in several scripts, when accepted, comes back as sent',
    (transcript) => judgeReturned(transcript, 'create-scripts', 'name'),
  ),
  create.should('CREATE-23', '2', 'the service assigns the id, not the body', (transcript) =>
    onCreation(transcript, 'create-own-id', ({ id, exchange, response }) => {
      if (response.status === 400) return noEvidence('a body with an id is refused', id)
      if (!isSuccess(response.status))
        return broken('201 or 400', `it was answered with ${response.status}`, id)
      const given = memberOf(response, 'id')
      if (typeof given !== 'bigint') return noEvidence('the answer has no id: see CREATE-2', id)
      return given === memberSent(exchange, 'id')
        ? broken('an id of the service’s own', `it has the id ${given} that the body asked for`, id)
        : holds(`it was given the id ${given}`, id)
    }),
  ),
  create.must('CREATE-25', '4', 'content type `application/json`', (transcript) =>
    judgeEach(transcript, validCreations(transcript), {
      expected: 'content type application/json',
      fault: ({ response }) => (isJsonType(response) ? undefined : 'has another content type or none'),
      ifNone: 'no creation was accepted',
    }),
  ),
]

/** The creations with nothing unusual in them. */
const ordinary: readonly string[] = [...petStatuses.map((status) => `create-${status}`), 'create-no-status']

function memberOf(response: ReceivedResponse, name: string): Json | undefined {
  const body = jsonOf(response)
  return isObject(body) ? body.get(name) : undefined
}

/** Whether the body's category is given, or a listed animal's: then there is nothing to say against it. */
function isListedCategory(transcript: Transcript, { exchange }: Answer): boolean {
  if (transcript.categoryId !== undefined) return true
  const sent = memberSent(exchange, 'categoryId')
  const before = new Set(transcript.exchanges.slice(0, transcript.exchanges.indexOf(exchange)))
  return pages(transcript)
    .filter((page) => before.has(page.exchange))
    .some(({ pets }) => pets.some(({ categoryId }) => categoryId === sent))
}

/** What is wrong with a member that came back; one that did not is CREATE-2's to judge. */
function memberFault({ exchange, response }: Answer, name: string): string | undefined {
  const back = memberOf(response, name)
  const sent = memberSent(exchange, name)
  return back === undefined || back === sent ? undefined : `has the ${name} ${show(back)} for ${show(sent)}`
}

function judgeAccepted(transcript: Transcript, id: string, status?: Json): Finding {
  return onCreation(transcript, id, (answer) => {
    if (!isSuccess(answer.response.status)) {
      return validCreations(transcript).length > 0
        ? broken('status 201', `${id} was answered with ${answer.response.status}`, id)
        : noEvidence('no creation at all was accepted: see CREATE-1', id)
    }
    const body = jsonOf(answer.response)
    if (!isObject(body) || petFault(body) !== undefined)
      return noEvidence('the answer is no Pet: see CREATE-2', id)
    const back = body.get('status')
    const fault =
      statusFault(body) ??
      (back === undefined || status === undefined || back === status
        ? undefined
        : `has the status ${show(back)}`)
    return fault === undefined
      ? holds('it is accepted', id)
      : broken(
          status === undefined ? 'a PetStatus or none' : `the status ${show(status)} or none`,
          `${id} ${fault}`,
          id,
        )
  })
}

/** The finding that weighs most. */
function worst(findings: readonly Finding[]): Finding {
  const order: readonly Finding['outcome'][] = ['broken', 'not-run', 'no-evidence', 'not-applicable', 'holds']
  return findings.reduce((a, b) => (order.indexOf(b.outcome) < order.indexOf(a.outcome) ? b : a))
}

function judgeIds(transcript: Transcript): Finding {
  const place = (id: string): number => transcript.exchanges.findIndex((exchange) => exchange.id === id)
  const made = creations(transcript).flatMap(({ id, pet }) => (pet === undefined ? [] : [{ id, pet }]))
  const seen = new Map<bigint, string>()
  for (const page of pages(transcript)) {
    for (const { id } of page.pets) if (!seen.has(id)) seen.set(id, page.id)
  }
  const taken = made.flatMap(({ id, pet }, n) => {
    const twin = made.slice(0, n).find((earlier) => earlier.pet.id === pet.id)
    const page = seen.get(pet.id)
    const other = twin?.id ?? (page !== undefined && place(page) < place(id) ? page : undefined)
    return other === undefined ? [] : [{ id, other, petId: pet.id }]
  })
  const [first] = taken
  if (first !== undefined) {
    return broken(
      'an id that nobody has',
      `${first.id} got the id ${first.petId} of ${first.other}`,
      first.id,
      first.other,
    )
  }
  return made.length > 1
    ? holds(`${made.length} new animals have ids of their own`, ...made.map(({ id }) => id))
    : nothing(transcript, 'fewer than two creations were answered with a Pet')
}

/** A 400 is no evidence: the category may be unknown there, and limits on names are a gap. */
function judgeReturned(transcript: Transcript, id: string, name: string): Finding {
  return onCreation(transcript, id, (answer) => {
    const { status } = answer.response
    if (status === 400) return noEvidence('it was refused with 400, as the spec allows', id)
    if (!isSuccess(status)) return broken('201 or 400', `it was answered with ${status}`, id)
    if (memberOf(answer.response, name) === undefined)
      return noEvidence(`the answer has no ${name}: see CREATE-2`, id)
    const plain = validCreations(transcript).find(
      (creation: Creation) => ordinary.includes(creation.id) && memberFault(creation, name),
    )
    if (plain !== undefined) return noEvidence(`no ${name} comes back as sent: see CREATE-3`, id, plain.id)
    const fault = memberFault(answer, name)
    return fault === undefined
      ? holds(`the ${name} came back as sent`, id)
      : broken(`the ${name} that was sent`, `it ${fault}`, id)
  })
}
