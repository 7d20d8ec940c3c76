import { shorten } from './bounds.ts'
import { memberOf } from './responses.ts'
import type { ReceivedResponse } from './transcript.ts'

/** The most characters that a quotation has. */
const mostQuotedWords = 120

/** Returns the words of a response for its reader: the code and message of an Error, the title of a page, or the start of its text. */
export function quoted(response: ReceivedResponse): string {
  return shorten(wordsOf(response).slice(0, 1024).replace(/\s+/g, ' ').trim(), mostQuotedWords)
}

/** Returns the code and the message of an Error; `undefined` if the response has neither. */
export function errorWords(response: ReceivedResponse): string | undefined {
  const texts = ['code', 'message']
    .map((name) => memberOf({ response }, name))
    .filter((value) => typeof value === 'string' && value !== '')
  return texts.length === 0 ? undefined : shorten(texts.join(': '), mostQuotedWords)
}

/** Whether a response is an HTML page: its body begins with a tag, and its content type or that tag says so. */
export function isHtml({ headers, body }: ReceivedResponse): boolean {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  return /^\s*<(?:!doctype html|html)\b/i.test(body) || (/html/i.test(type) && /^\s*</.test(body))
}

function wordsOf(response: ReceivedResponse): string {
  const { body } = response
  if (!isHtml(response)) return errorWords(response) ?? body
  const heading = /<(title|h1)[^>]*>([^<]{1,200})</i.exec(body.slice(0, 16_384))?.[2]
  return heading ?? body
}
