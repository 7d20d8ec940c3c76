import type { HeaderList } from '../../transcript/transcript.ts'
import type { ReportExchange } from '../report.ts'
import { type Markup, markup, multiline } from './markup.ts'

const headerLines = (headers: HeaderList): readonly Markup[] =>
  headers.map(([name, value]) => markup`${name}: ${value}\n`)

const block = (heading: string, first: string, headers: HeaderList, body: string | undefined): Markup =>
  markup`<h3>${heading}</h3>
<pre tabindex="0">${first}\n${headerLines(headers)}${body && markup`\n${multiline(body)}`}</pre>
`

function responseBlock({ response, error }: ReportExchange): Markup {
  if (response === undefined) return markup`<h3>No response</h3>\n<pre tabindex="0">${error}</pre>\n`
  return block(
    `Response after ${response.ms} ms`,
    `Status ${response.status}`,
    response.headers,
    response.body,
  )
}

/** Every exchange, folded. The anchor is inside, so that a link to it unfolds it. */
export function exchangeList(exchanges: readonly ReportExchange[]): readonly Markup[] {
  return exchanges.map((exchange, index) => {
    const { id, request, response } = exchange
    const line = `${request.method} ${request.target}`
    return markup`<details><summary><code>${line}</code> <b>${response?.status ?? 'no response'}</b> <span class="soft">${id}</span></summary>
<div id="exchange-${index + 1}">
${block('Request', line, request.headers, request.body)}${responseBlock(exchange)}</div></details>
`
  })
}
