import type { Observation } from '../report/report.ts'
import { parseSection } from '../rules/statements.ts'
import { shorten } from '../transcript/bounds.ts'
import { pages } from '../transcript/pages.ts'
import { show } from '../transcript/pets.ts'
import { limitHeaders, readLimitHeader } from '../transcript/rate-limits.ts'
import {
  header,
  isGateway,
  isSuccess,
  parseBody,
  type RecordedResponse,
  readMember,
  responses,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { describeLowering, describeSharing, findLimits } from './observed-limits.ts'

/** Observes what the interface leaves open; `undefined` if no exchange shows it. */
type Observe = (transcript: Transcript) => string | undefined

/** The gaps of the interface: the anchor of the statement in `interface.md`, and the function that observes it. */
const gaps: Readonly<Record<string, readonly [statement: string, observe: Observe]>> = {
  'default status': ['s2-open-default-status', findDefaultStatus],
  'an invalid limit': ['s4-1-open-invalid-parameters', invalidLimits],
  'an undeclared status': ['s4-1-open-invalid-parameters', showResponse('status-undeclared')],
  'a malformed petId': ['s4-3-open-invalid-id', showResponse('get-word', 'get-partial-id')],
  'order of a page': ['s4-1-open-order', findOrder],
  'page links': ['s4-1-open-pages', findLinks],
  'error codes': ['s7-open-codes', findCodes],
  'the body of a 429': ['s7-open-429-body', findLimitedBody],
  'deprecation headers': ['s9-open-deprecation-headers', findDeprecation],
  'which limit the headers show': ['s8-open-which-limit', findLimits],
  'which operations lower Remaining': ['s8-open-plan', describeLowering],
  'whether two keys share one limit': ['s8-open-shared', describeSharing],
  'the limits of an anonymous client': ['s8-open-anonymous', findAnonymousLimits],
  'unknown members of a body': ['s4-2-open-unknown-members', findUnknownMembers],
  'a body of another media type': ['s4-open-media-type', showResponse('create-text-plain')],
  'an unknown path': ['s4-open-unknown-paths', showResponse('path-unknown')],
  'a method that a path does not have': ['s4-open-unknown-paths', showResponse('method-unknown')],
  'a creation that is sent twice, with an Idempotency-Key': ['s4-2-open-retry', describeRetry],
}

/** Returns how the deployment decides what the interface leaves open, as far as exchanges show it. Judges nothing. */
export function observe(transcript: Transcript): readonly Observation[] {
  return Object.entries(gaps).flatMap(([gap, [statement, observe]]) => {
    const observed = observe(transcript)
    if (observed === undefined) return []
    return [{ gap, section: parseSection(statement), statement, observed: shorten(observed) }]
  })
}

function find(transcript: Transcript, id: string): RecordedResponse | undefined {
  return responses(transcript).find((recorded) => recorded.id === id && !isGateway(recorded.response.status))
}

/** Shows the response to the first of several exchanges that the run has. */
function showResponse(...ids: readonly string[]): Observe {
  return (transcript) => {
    const [recorded] = ids.flatMap((id) => find(transcript, id) ?? [])
    return recorded && summarize(recorded)
  }
}

function findDefaultStatus(transcript: Transcript): string | undefined {
  const recorded = find(transcript, 'create-no-status')
  if (recorded === undefined || !isSuccess(recorded.response.status)) return undefined
  const status = readMember(recorded, 'status')
  return status === undefined ? 'none' : show(status)
}

/** Describes a response: its status, and how many animals or which error code it has. */
function summarize(recorded: RecordedResponse): string {
  const { response } = recorded
  const body = parseBody(response)
  const code = readMember(recorded, 'code')
  if (Array.isArray(body)) return `${response.status} with ${body.length} animals`
  return typeof code === 'string' ? `${response.status} ${show(code)}` : `${response.status}`
}

function invalidLimits(transcript: Transcript): string | undefined {
  const asked = ['limit-0', 'limit-negative', 'limit-101', 'limit-word'].flatMap(
    (id) => find(transcript, id) ?? [],
  )
  return listed(
    asked.map((recorded) => `${recorded.exchange.request.target.split('=')[1]}: ${summarize(recorded)}`),
  )
}

function findLinks(transcript: Transcript): string | undefined {
  const served = pages(transcript)
  const link = served.map(({ response }) => header(response, 'link')).find((value) => value !== undefined)
  return served.length === 0 ? undefined : (cut(link) ?? 'no Link header')
}

function findLimitedBody(transcript: Transcript): string | undefined {
  const limited = responses(transcript).find(({ response }) => response.status === 429)
  return limited && (cut(limited.response.body) ?? 'empty')
}

function findAnonymousLimits(transcript: Transcript): string | undefined {
  const recorded = find(transcript, 'no-key-list')
  if (recorded === undefined) return undefined
  return listed(
    limitHeaders.map((name) => `${name.split('-').at(-1)}: ${readLimitHeader(recorded, name) ?? 'none'}`),
  )
}

function findUnknownMembers(transcript: Transcript): string | undefined {
  const recorded = find(transcript, 'create-own-id')
  if (recorded === undefined || !isSuccess(recorded.response.status)) return recorded && summarize(recorded)
  const hasMember = readMember(recorded, 'nickname') !== undefined
  return `${recorded.response.status}, and the response ${hasMember ? 'shows' : 'leaves out'} the unknown member`
}

function findOrder(transcript: Transcript): string | undefined {
  const { pets = [] } = pages(transcript).toSorted((a, b) => b.pets.length - a.pets.length)[0] ?? {}
  if (pets.length < 2) return undefined
  const ids = pets.map(({ id }) => id)
  if (isSorted(ids)) return 'ascending id'
  if (isSorted(ids.toReversed())) return 'descending id'
  return isSorted(pets.map(({ name }) => name)) ? 'by name' : 'neither by id nor by name'
}

function isSorted<T extends bigint | string>(values: readonly T[]): boolean {
  return values.every((value, n) => (values[n - 1] ?? value) <= value)
}

function findCodes(transcript: Transcript): string | undefined {
  const codes = responses(transcript).flatMap((recorded) => {
    const code = recorded.response.status >= 400 ? readMember(recorded, 'code') : undefined
    return typeof code === 'string' ? [`${recorded.response.status} ${show(code)}`] : []
  })
  return listed([...new Set(codes)].sort())
}

function findDeprecation(transcript: Transcript): string | undefined {
  const recorded = find(transcript, 'get-listed') ?? find(transcript, 'get-unknown')
  if (recorded === undefined) return undefined
  const seen = ['deprecation', 'sunset', 'link'].flatMap((name) => {
    const value = cut(header(recorded.response, name))
    return value === undefined ? [] : [`${name}: ${value}`]
  })
  return listed(seen) ?? 'none'
}

function describeRetry(transcript: Transcript): string | undefined {
  const [first, again] = [find(transcript, 'create-no-status'), find(transcript, 'create-again')]
  if (first === undefined || again === undefined) return undefined
  const [id, other] = [readMember(first, 'id'), readMember(again, 'id')]
  if (!isSuccess(again.response.status) || id === undefined || other === undefined) return summarize(again)
  return `${again.response.status}, ${id === other ? 'with the same animal' : 'with a second animal'}`
}

function listed(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : texts.join('; ')
}

function cut(text: string | undefined): string | undefined {
  return text ? shorten(text, 200) : undefined
}
