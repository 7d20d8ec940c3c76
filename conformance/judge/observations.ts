import type { Observation } from '../report/report.ts'
import { sectionOf } from '../rules/statements.ts'
import { shorten } from '../transcript/bounds.ts'
import { pages } from '../transcript/pages.ts'
import { show } from '../transcript/pets.ts'
import { limitHeader, limitHeaders } from '../transcript/rate-limits.ts'
import {
  header,
  isGateway,
  isSuccess,
  jsonOf,
  memberOf,
  type RecordedResponse,
  responses,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { limitsOf, loweringOf, sharingOf } from './observed-limits.ts'

/** A statement that the interface leaves open, and how to observe it; `undefined` if no exchange shows it. */
interface Gap {
  readonly gap: string
  /** The anchor of the open statement in `interface.md`. */
  readonly statement: string
  readonly observe: (transcript: Transcript) => string | undefined
}

const gaps: readonly Gap[] = [
  {
    gap: 'default status',
    statement: 's2-open-default-status',
    observe: showMember('create-no-status', 'status'),
  },
  {
    gap: 'an invalid limit',
    statement: 's4-1-open-invalid-parameters',
    observe: (transcript) => {
      const ids = ['limit-0', 'limit-negative', 'limit-101', 'limit-word']
      const asked = ids.flatMap((id) => find(transcript, id) ?? [])
      return listed(
        asked.map((recorded) => `${recorded.exchange.request.target.split('=')[1]}: ${summaryOf(recorded)}`),
      )
    },
  },
  {
    gap: 'an undeclared status',
    statement: 's4-1-open-invalid-parameters',
    observe: showResponse('status-undeclared'),
  },
  {
    gap: 'a malformed petId',
    statement: 's4-3-open-invalid-id',
    observe: showResponse('get-word', 'get-partial-id'),
  },
  { gap: 'order of a page', statement: 's4-1-open-order', observe: orderOf },
  {
    gap: 'page links',
    statement: 's4-1-open-pages',
    observe: (transcript) => {
      const served = pages(transcript)
      const link = served.map(({ response }) => header(response, 'link')).find((value) => value !== undefined)
      return served.length === 0 ? undefined : (cut(link) ?? 'no Link header')
    },
  },
  { gap: 'error codes', statement: 's7-open-codes', observe: codesOf },
  {
    gap: 'the body of a 429',
    statement: 's7-open-429-body',
    observe: (transcript) => {
      const limited = responses(transcript).find(({ response }) => response.status === 429)
      return limited && (cut(limited.response.body) ?? 'empty')
    },
  },
  { gap: 'deprecation headers', statement: 's9-open-deprecation-headers', observe: deprecationOf },
  { gap: 'which limit the headers show', statement: 's8-open-which-limit', observe: limitsOf },
  { gap: 'which operations lower Remaining', statement: 's8-open-plan', observe: loweringOf },
  { gap: 'whether two keys share one limit', statement: 's8-open-shared', observe: sharingOf },
  {
    gap: 'the limits of an anonymous client',
    statement: 's8-open-anonymous',
    observe: (transcript) => {
      const recorded = find(transcript, 'no-key-list')
      return (
        recorded &&
        listed(
          limitHeaders.map(
            (name) => `${name.slice('X-RateLimit-'.length)}: ${limitHeader(recorded, name) ?? 'none'}`,
          ),
        )
      )
    },
  },
  {
    gap: 'unknown members of a body',
    statement: 's4-2-open-unknown-members',
    observe: (transcript) => {
      const recorded = find(transcript, 'create-own-id')
      if (recorded === undefined || !isSuccess(recorded.response.status))
        return recorded && summaryOf(recorded)
      const hasMember = memberOf(recorded, 'nickname') !== undefined
      return `${recorded.response.status}, and the response ${hasMember ? 'shows' : 'leaves out'} the unknown member`
    },
  },
  {
    gap: 'a body of another media type',
    statement: 's4-open-media-type',
    observe: showResponse('create-text-plain'),
  },
  { gap: 'an unknown path', statement: 's4-open-unknown-paths', observe: showResponse('path-unknown') },
  {
    gap: 'a method that a path does not have',
    statement: 's4-open-unknown-paths',
    observe: showResponse('method-unknown'),
  },
  {
    gap: 'a creation that is sent twice, with an Idempotency-Key',
    statement: 's4-2-open-retry',
    observe: retryOf,
  },
]

/** Returns how the deployment decides what the interface leaves open, as far as exchanges show it. Judges nothing. */
export function observe(transcript: Transcript): readonly Observation[] {
  return gaps.flatMap(({ gap, statement, observe }) => {
    const observed = observe(transcript)
    return observed === undefined
      ? []
      : [{ gap, section: sectionOf(statement), statement, observed: shorten(observed) }]
  })
}

function find(transcript: Transcript, id: string): RecordedResponse | undefined {
  return responses(transcript).find((recorded) => recorded.id === id && !isGateway(recorded.response.status))
}

/** Shows the response to the first of several exchanges that the run has. */
function showResponse(...ids: readonly string[]): Gap['observe'] {
  return (transcript) => {
    const [recorded] = ids.flatMap((id) => find(transcript, id) ?? [])
    return recorded && summaryOf(recorded)
  }
}

function showMember(id: string, name: string): Gap['observe'] {
  return (transcript) => {
    const recorded = find(transcript, id)
    if (recorded === undefined || !isSuccess(recorded.response.status)) return undefined
    const value = memberOf(recorded, name)
    return value === undefined ? 'none' : show(value)
  }
}

/** Describes a response: its status, and how many animals or which error code it has. */
function summaryOf(recorded: RecordedResponse): string {
  const { response } = recorded
  const body = jsonOf(response)
  const code = memberOf(recorded, 'code')
  if (Array.isArray(body)) return `${response.status} with ${body.length} animals`
  return typeof code === 'string' ? `${response.status} ${show(code)}` : `${response.status}`
}

function orderOf(transcript: Transcript): string | undefined {
  const longest = pages(transcript).toSorted((a, b) => b.pets.length - a.pets.length)[0]
  if (longest === undefined || longest.pets.length < 2) return undefined
  const inOrder = (isBefore: (a: number) => boolean): boolean =>
    longest.pets.every((_, n) => n === 0 || isBefore(n))
  const { pets } = longest
  const at = (n: number): bigint => pets[n]?.id ?? 0n
  const nameAt = (n: number): string => pets[n]?.name ?? ''
  if (inOrder((n) => at(n - 1) < at(n))) return 'ascending id'
  if (inOrder((n) => at(n - 1) > at(n))) return 'descending id'
  return inOrder((n) => nameAt(n - 1) <= nameAt(n)) ? 'by name' : 'neither by id nor by name'
}

function codesOf(transcript: Transcript): string | undefined {
  const codes = responses(transcript).flatMap((recorded) => {
    const code = recorded.response.status >= 400 ? memberOf(recorded, 'code') : undefined
    return typeof code === 'string' ? [`${recorded.response.status} ${show(code)}`] : []
  })
  return listed([...new Set(codes)].sort())
}

function deprecationOf(transcript: Transcript): string | undefined {
  const recorded = find(transcript, 'get-listed') ?? find(transcript, 'get-unknown')
  if (recorded === undefined) return undefined
  const seen = ['deprecation', 'sunset', 'link'].flatMap((name) => {
    const value = cut(header(recorded.response, name))
    return value === undefined ? [] : [`${name}: ${value}`]
  })
  return listed(seen) ?? 'none'
}

function retryOf(transcript: Transcript): string | undefined {
  const [first, again] = [find(transcript, 'create-once'), find(transcript, 'create-once-again')]
  if (first === undefined || again === undefined) return undefined
  const [id, other] = [memberOf(first, 'id'), memberOf(again, 'id')]
  if (!isSuccess(again.response.status) || id === undefined || other === undefined) return summaryOf(again)
  return `${again.response.status}, ${id === other ? 'with the same animal' : 'with a second animal'}`
}

function listed(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : texts.join('; ')
}

function cut(text: string | undefined): string | undefined {
  if (!text) return undefined
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
