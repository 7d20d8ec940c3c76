import type { Observation } from '../report/report.ts'
import { parseSection } from '../rules/statements.ts'
import { shorten } from '../transcript/bounds.ts'
import { parsePages } from '../transcript/pages.ts'
import { formatValue } from '../transcript/pets.ts'
import { limitHeaders, readLimitHeader } from '../transcript/rate-limits.ts'
import {
  findResponse,
  getHeader,
  isGatewayStatus,
  isSuccess,
  listResponses,
  parseBody,
  type RecordedResponse,
  readMember,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { describeLowering, describeSharing, findLimits } from './observed-limits.ts'

/** Describes a deployment's behavior, or returns `undefined` if the transcript does not show it. */
type Observer = (transcript: Transcript) => string | undefined

/** Questions that the interface leaves open, with the anchors of its open statements. */
const observersByGap: Readonly<Record<string, readonly [statement: string, observe: Observer]>> = {
  'default status': ['s2-open-default-status', findDefaultStatus],
  'an invalid limit': ['s4-1-open-invalid-parameters', describeInvalidLimits],
  'an undeclared status': ['s4-1-open-invalid-parameters', createResponseObserver('status-undeclared')],
  'a malformed petId': ['s4-3-open-invalid-id', createResponseObserver('get-word', 'get-partial-id')],
  'the order of animals in a list': ['s4-1-open-order', findOrder],
  'page links': ['s4-1-open-pages', findLinks],
  'error codes': ['s7-open-codes', findCodes],
  'the body of a 429 response': ['s7-open-429-body', findLimitedBody],
  'deprecation headers': ['s9-open-deprecation-headers', findDeprecation],
  'the limit in the headers': ['s8-open-which-limit', findLimits],
  'operations that lower X-RateLimit-Remaining': ['s8-open-plan', describeLowering],
  'a limit shared by two keys': ['s8-open-shared', describeSharing],
  'limits for anonymous clients': ['s8-open-anonymous', findAnonymousLimits],
  'unknown members in a body': ['s4-2-open-unknown-members', findUnknownMembers],
  'a body with another media type': ['s4-open-media-type', createResponseObserver('create-text-plain')],
  'an unknown path': ['s4-open-unknown-paths', createResponseObserver('path-unknown')],
  'an unsupported method': ['s4-open-unknown-paths', createResponseObserver('method-unknown')],
  'a creation repeated with its Idempotency-Key': ['s4-2-open-retry', describeRetry],
}

/** Describes the deployment's behavior where the interface leaves it open. */
export function observe(transcript: Transcript): readonly Observation[] {
  return Object.entries(observersByGap).flatMap(([gap, [statement, observe]]) => {
    const observedValue = observe(transcript)
    if (observedValue === undefined) return []
    return [{ gap, section: parseSection(statement), statement, observed: shorten(observedValue) }]
  })
}

/** Finds the response to a step, unless it may come from a gateway. */
function findOwnResponse(transcript: Transcript, id: string): RecordedResponse | undefined {
  const recorded = findResponse(transcript, id)
  return recorded && !isGatewayStatus(recorded.response.status) ? recorded : undefined
}

/** Creates an observer that summarizes a response: the first one in `ids` that the transcript contains. */
function createResponseObserver(...ids: readonly string[]): Observer {
  return (transcript) => {
    const [recorded] = ids.flatMap((id) => findOwnResponse(transcript, id) ?? [])
    return recorded && summarizeResponse(recorded)
  }
}

function findDefaultStatus(transcript: Transcript): string | undefined {
  const creation = ['create-own-id', 'create-no-status']
    .map((id) => findOwnResponse(transcript, id))
    .find((one) => one !== undefined && isSuccess(one.response.status))
  if (creation === undefined) return undefined
  const status = readMember(creation, 'status')
  return status === undefined ? 'none' : formatValue(status)
}

function summarizeResponse(recorded: RecordedResponse): string {
  const { response } = recorded
  const body = parseBody(response)
  const errorCode = readMember(recorded, 'code')
  if (Array.isArray(body)) return `${response.status} with ${body.length} animals`
  return typeof errorCode === 'string' ? `${response.status} ${formatValue(errorCode)}` : `${response.status}`
}

function describeInvalidLimits(transcript: Transcript): string | undefined {
  const responses = ['limit-0', 'limit-negative', 'limit-101', 'limit-word'].flatMap(
    (id) => findOwnResponse(transcript, id) ?? [],
  )
  const readLimit = ({ exchange }: RecordedResponse) => exchange.request.target.split('=')[1]
  return joinTexts(responses.map((recorded) => `${readLimit(recorded)}: ${summarizeResponse(recorded)}`))
}

function findLinks(transcript: Transcript): string | undefined {
  const pages = parsePages(transcript)
  const [link] = pages.flatMap(({ response }) => getHeader(response, 'link') ?? [])
  return pages.length === 0 ? undefined : (shortenValue(link) ?? 'the response has no Link header')
}

function findLimitedBody(transcript: Transcript): string | undefined {
  const limited = listResponses(transcript).find(
    ({ exchange, response }) => response.status === 429 && exchange.group === undefined,
  )
  return limited && (shortenValue(limited.response.body) ?? 'empty')
}

function findAnonymousLimits(transcript: Transcript): string | undefined {
  const keyless = findOwnResponse(transcript, 'no-key-list')
  if (keyless === undefined) return undefined
  return joinTexts(
    limitHeaders.map((name) => `${name.split('-').at(-1)}: ${readLimitHeader(keyless, name) ?? 'none'}`),
  )
}

function findUnknownMembers(transcript: Transcript): string | undefined {
  const creation = findOwnResponse(transcript, 'create-own-id')
  if (creation === undefined) return undefined
  const { status } = creation.response
  if (!isSuccess(status)) return summarizeResponse(creation)
  const hasMember = readMember(creation, 'nickname') !== undefined
  return `${status}, ${hasMember ? 'with' : 'without'} the unknown member`
}

function findOrder(transcript: Transcript): string | undefined {
  const { pets = [] } = parsePages(transcript).toSorted((a, b) => b.pets.length - a.pets.length)[0] ?? {}
  if (pets.length < 2) return undefined
  const petIds = pets.map(({ id }) => id)
  if (isSorted(petIds)) return 'ascending id'
  if (isSorted(petIds.toReversed())) return 'descending id'
  return isSorted(pets.map(({ name }) => name)) ? 'by name' : 'sorted neither by id nor by name'
}

function isSorted<T extends bigint | string>(values: readonly T[]): boolean {
  return values.every((value, n) => (values[n - 1] ?? value) <= value)
}

function findCodes(transcript: Transcript): string | undefined {
  const codes = listResponses(transcript).flatMap((recorded) => {
    const errorCode = recorded.response.status >= 400 ? readMember(recorded, 'code') : undefined
    return typeof errorCode === 'string' ? [`${recorded.response.status} ${formatValue(errorCode)}`] : []
  })
  return joinTexts([...new Set(codes)].sort())
}

function findDeprecation(transcript: Transcript): string | undefined {
  const getResponse = findOwnResponse(transcript, 'get-listed') ?? findOwnResponse(transcript, 'get-unknown')
  if (getResponse === undefined) return undefined
  const headerNotes = ['deprecation', 'sunset', 'link'].flatMap((name) => {
    const value = shortenValue(getHeader(getResponse.response, name))
    return value === undefined ? [] : [`${name}: ${value}`]
  })
  return joinTexts(headerNotes) ?? 'none'
}

function describeRetry(transcript: Transcript): string | undefined {
  const first = findOwnResponse(transcript, 'create-available')
  const again = findOwnResponse(transcript, 'create-again')
  if (first === undefined || again === undefined) return undefined
  const [id, other] = [readMember(first, 'id'), readMember(again, 'id')]
  if (!isSuccess(again.response.status) || id === undefined || other === undefined)
    return summarizeResponse(again)
  return `${again.response.status}, ${id === other ? 'with the same animal' : 'with a second animal'}`
}

function joinTexts(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : texts.join('; ')
}

function shortenValue(text: string | undefined): string | undefined {
  return text ? shorten(text, 200) : undefined
}
