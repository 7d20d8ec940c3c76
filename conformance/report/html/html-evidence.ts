import { responseLine } from '../facts.ts'
import type { Evidence, Excerpt } from '../report.ts'
import { type Markup, markup } from './markup.ts'

/** An excerpt with its mark. */
const marked = ({ before, marked: part, after }: Excerpt): Markup =>
  markup`${before}${part !== '' && markup`<mark>${part}</mark>`}${after}`

/** The status line of a response, the header at fault, and the part of the body that shows the fault. */
export function evidenceBlock(evidence: Evidence): Markup {
  const { header, body } = evidence
  return markup`<pre tabindex="0">${responseLine(evidence)}${header && markup`\n${marked(header)}`}${body && markup`\n\n${marked(body)}`}</pre>`
}
