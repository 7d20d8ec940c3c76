import type { Evidence, Excerpt } from '../report/report.ts'
import { shorten } from '../transcript/bounds.ts'
import { formatPath, type JsonPath, type Place } from '../transcript/json.ts'
import { findInvalidPlace, locate, type Span } from '../transcript/json-reader.ts'
import { memoize } from '../transcript/memoize.ts'
import { header, parseBody } from '../transcript/responses.ts'
import type { Exchange, ReceivedResponse } from '../transcript/transcript.ts'

/** Maximum number of characters before a mark, in a mark, and in an excerpt. */
const most = { before: 40, marked: 80, excerpt: 160 } as const

/** Returns the part of the response that a report shows for a broken rule; `undefined` without a response. */
export function createEvidence({ id, outcome }: Exchange, at: Place | undefined): Evidence | undefined {
  if (outcome.kind === 'error') return undefined
  const { response } = outcome
  const type = header(response, 'content-type')
  return {
    exchange: id,
    status: response.status,
    ...(type !== undefined && { contentType: shorten(type) }),
    ...(at === undefined ? locationPart(response) : 'header' in at && headerPart(response, at.header)),
    ...bodyPart(response, at !== undefined && 'path' in at ? at.path : undefined),
  }
}

function headerPart(response: ReceivedResponse, name: string): Pick<Evidence, 'at' | 'header'> {
  const value = header(response, name)
  if (value === undefined) return { at: `the header ${name}, which is missing` }
  const text = `${name}: ${value}`
  return { at: `the header ${name}`, header: excerpt(text, { start: name.length + 2, end: text.length }) }
}

/** A redirect, which no rule expects, shows where it leads. */
function locationPart(response: ReceivedResponse): Pick<Evidence, 'at' | 'header'> {
  const isRedirect = response.status >= 300 && response.status < 400
  return isRedirect && header(response, 'location') !== undefined ? headerPart(response, 'location') : {}
}

/** Returns the place where a body stops being JSON. Many rules may be broken by one response. */
const invalidIn: (response: ReceivedResponse) => number | undefined = memoize((response) =>
  parseBody(response) === undefined ? findInvalidPlace(response.body) : undefined,
)

function bodyPart(response: ReceivedResponse, path: JsonPath | undefined): Pick<Evidence, 'at' | 'body'> {
  const { body, utf8, truncated, withheld } = response
  if (body === '' || truncated) return {}
  const start = { body: excerpt(body, { start: 0, end: 0 }) }
  if (path === undefined || !utf8 || withheld) return start
  const invalid = invalidIn(response)
  if (invalid !== undefined) {
    return {
      at: `character ${invalid + 1} of the body, where it stops being JSON`,
      body: excerpt(body, { start: invalid, end: invalid + 1 }),
    }
  }
  const found = locate(body, path)
  if (found === undefined) return start
  return {
    at: shorten(`${formatPath(path)} in the body${found.isExact ? '' : ', which is missing'}`),
    body: excerpt(body, found),
  }
}

/** Returns the text around a mark. */
function excerpt(text: string, { start, end }: Span): Excerpt {
  const from = Math.max(0, start - most.before)
  const marked = shorten(text.slice(start, end), most.marked)
  const before = (from > 0 ? '…' : '') + text.slice(from, start)
  const isCut = end - start > most.marked
  const after = isCut ? '' : text.slice(end, end + most.excerpt - before.length - marked.length)
  return { before, marked, after: after + (!isCut && end + after.length < text.length ? '…' : '') }
}
