import { shorten } from './bounds.ts'
import type { Observation } from './report/report.ts'
import { pages } from './transcript/pages.ts'
import { show } from './transcript/pets.ts'
import { limitHeader, limitHeaders, plans, standingOf } from './transcript/rate-limits.ts'
import {
  type Answer,
  answers,
  answersTo,
  header,
  isGateway,
  isSuccess,
  jsonOf,
  memberOf,
} from './transcript/responses.ts'
import type { Transcript } from './transcript/transcript.ts'

/** A gap of the spec, and what an exchange shows of it; nothing where none does. */
interface Gap {
  readonly gap: string
  readonly section: string
  readonly observe: (transcript: Transcript) => string | undefined
}

const gaps: readonly Gap[] = [
  { gap: 'default status', section: '2', observe: onServed('create-no-status', 'status') },
  {
    gap: 'an invalid limit',
    section: '4.1',
    observe: (transcript) => {
      const ids = ['limit-0', 'limit-negative', 'limit-101', 'limit-word']
      const asked = ids.flatMap((id) => find(transcript, id) ?? [])
      return listed(
        asked.map((answer) => `${answer.exchange.request.target.split('=')[1]}: ${answerOf(answer)}`),
      )
    },
  },
  { gap: 'an undeclared status', section: '4.1', observe: onAnswered('status-undeclared') },
  { gap: 'a malformed petId', section: '4.3', observe: onAnswered('get-word') },
  { gap: 'order of a page', section: '4.1', observe: orderOf },
  {
    gap: 'page links',
    section: '4.1',
    observe: (transcript) => {
      const served = pages(transcript)
      const link = served.map(({ response }) => header(response, 'link')).find((value) => value !== undefined)
      return served.length === 0 ? undefined : (cut(link) ?? 'no Link header')
    },
  },
  { gap: 'error codes', section: '7', observe: codesOf },
  {
    gap: 'the body of a 429',
    section: '7',
    observe: (transcript) => {
      const refusal = answers(transcript).find(({ response }) => response.status === 429)
      return refusal && (cut(refusal.response.body) ?? 'empty')
    },
  },
  { gap: 'deprecation headers', section: '9', observe: deprecationOf },
  { gap: 'which limit the headers speak of', section: '8', observe: limitsOf },
  {
    gap: 'the limits of an anonymous answer',
    section: '8',
    observe: (transcript) => {
      const answer = find(transcript, 'no-key-list')
      return (
        answer &&
        listed(
          limitHeaders.map(
            (name) => `${name.slice('X-RateLimit-'.length)}: ${limitHeader(answer, name) ?? 'none'}`,
          ),
        )
      )
    },
  },
  {
    gap: 'unknown members of a body',
    section: '4.2',
    observe: (transcript) => {
      const answer = find(transcript, 'create-unknown-member')
      if (answer === undefined || !isSuccess(answer.response.status)) return answer && answerOf(answer)
      const isKept = memberOf(answer, 'nickname') !== undefined
      return `${answer.response.status}, and the answer ${isKept ? 'shows' : 'leaves out'} the unknown member`
    },
  },
  { gap: 'a body of another media type', section: '4', observe: onAnswered('create-text-plain') },
]

/** How the deployment fills the gaps of the spec, as far as the exchanges show it. Judges nothing. */
export function observe(transcript: Transcript): readonly Observation[] {
  return gaps.flatMap(({ gap, section, observe }) => {
    const observed = observe(transcript)
    return observed === undefined ? [] : [{ gap, section, observed: shorten(observed) }]
  })
}

function find(transcript: Transcript, id: string): Answer | undefined {
  return answers(transcript).find((answer) => answer.id === id && !isGateway(answer.response.status))
}

function onAnswered(id: string): Gap['observe'] {
  return (transcript) => {
    const answer = find(transcript, id)
    return answer && answerOf(answer)
  }
}

function onServed(id: string, name: string): Gap['observe'] {
  return (transcript) => {
    const answer = find(transcript, id)
    if (answer === undefined || !isSuccess(answer.response.status)) return undefined
    const value = memberOf(answer, name)
    return value === undefined ? 'none' : show(value)
  }
}

/** An answer in a few words: its status, and how many animals or which error it holds. */
function answerOf(answer: Answer): string {
  const { response } = answer
  const body = jsonOf(response)
  const code = memberOf(answer, 'code')
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
  const codes = answers(transcript).flatMap((answer) => {
    const code = answer.response.status >= 400 ? memberOf(answer, 'code') : undefined
    return typeof code === 'string' ? [`${answer.response.status} ${show(code)}`] : []
  })
  return listed([...new Set(codes)].sort())
}

function deprecationOf(transcript: Transcript): string | undefined {
  const answer = find(transcript, 'get-listed') ?? find(transcript, 'get-unknown')
  if (answer === undefined) return undefined
  const seen = ['deprecation', 'sunset', 'link'].flatMap((name) => {
    const value = cut(header(answer.response, name))
    return value === undefined ? [] : [`${name}: ${value}`]
  })
  return listed(seen) ?? 'none'
}

function limitsOf(transcript: Transcript): string | undefined {
  const seen = answersTo(transcript, 'key').flatMap((answer) => standingOf(answer).limit ?? [])
  return listed([...new Set(seen)].map((limit) => `${limit} (${plansOf(limit).join(', ') || 'of no plan'})`))
}

function plansOf(limit: number): readonly string[] {
  return Object.entries(plans).flatMap(([plan, [minute, day]]) => [
    ...(limit === minute ? [`${plan}, by the minute`] : []),
    ...(limit === day ? [`${plan}, by the day`] : []),
  ])
}

function listed(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : texts.join('; ')
}

function cut(text: string | undefined): string | undefined {
  if (!text) return undefined
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
