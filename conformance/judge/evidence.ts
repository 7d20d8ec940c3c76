import type { Evidence, Excerpt } from '../report/report.ts'
import { shorten } from '../transcript/bounds.ts'
import { formatPath, type JsonPath, type Place } from '../transcript/json.ts'
import { locate, type Span } from '../transcript/json-reader.ts'
import { getHeader, parseBody } from '../transcript/responses.ts'
import type { Exchange, ReceivedResponse } from '../transcript/transcript.ts'

/** Maximum lengths in an excerpt, in characters. */
const maxLengths = { before: 40, marked: 80, excerpt: 160 } as const

/** Creates the evidence for a broken rule. `at` is where the response has the problem. */
export function createEvidence({ id, response }: Exchange, at: Place | undefined): Evidence | undefined {
  if (response === undefined) return undefined
  const contentType = getHeader(response, 'content-type')
  return {
    exchange: id,
    status: response.status,
    ...(contentType !== undefined && { contentType: shorten(contentType) }),
    ...(at === undefined ? quoteLocation(response) : 'header' in at && quoteHeader(response, at.header)),
    ...quoteBody(response, at !== undefined && 'path' in at ? at.path : undefined),
  }
}

function quoteHeader(response: ReceivedResponse, name: string): Pick<Evidence, 'at' | 'header'> {
  const value = getHeader(response, name)
  if (value === undefined) return { at: `header ${name} (missing)` }
  const headerText = `${name}: ${value}`
  return {
    at: `header ${name}`,
    header: createExcerpt(headerText, { start: name.length + 2, end: headerText.length }),
  }
}

/** A redirect is explained by its target. */
function quoteLocation(response: ReceivedResponse): Pick<Evidence, 'at' | 'header'> {
  const isRedirect = response.status >= 300 && response.status < 400
  return isRedirect && getHeader(response, 'location') !== undefined ? quoteHeader(response, 'location') : {}
}

function quoteBody(response: ReceivedResponse, path: JsonPath | undefined): Pick<Evidence, 'at' | 'body'> {
  const { body, truncated } = response
  if (body === '' || truncated) return {}
  if (path === undefined || parseBody(response) === undefined)
    return { body: createExcerpt(body, { start: 0, end: 0 }) }
  const foundSpan = locate(body, path)
  return {
    at: shorten(`${formatPath(path)} in the body${foundSpan.isExact ? '' : ' (missing)'}`),
    body: createExcerpt(body, foundSpan),
  }
}

/** Cuts an excerpt around the marked part. */
function createExcerpt(text: string, { start, end }: Span): Excerpt {
  const excerptStart = Math.max(0, start - maxLengths.before)
  const before = (excerptStart > 0 ? '…' : '') + text.slice(excerptStart, start)
  const marked = shorten(text.slice(start, end), maxLengths.marked)
  if (end - start > maxLengths.marked) return { before, marked, after: '' }
  const after = text.slice(end, end + maxLengths.excerpt - before.length - marked.length)
  return { before, marked, after: after + (end + after.length < text.length ? '…' : '') }
}
