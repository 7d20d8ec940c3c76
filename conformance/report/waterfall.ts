import { type Group, getDurationMs } from '../transcript/groups.ts'
import { pluralize } from '../transcript/printable.ts'
import type { Exchange } from '../transcript/transcript.ts'
import { type Markup, markup } from './markup.ts'

/** The chart's width, in view box units. */
const chartWidth = 1000

/** Formats parallel requests as bars over time, like a browser's network view. */
export function formatWaterfall({ name, exchanges, inFlight }: Group): Markup {
  const firstStart = Math.min(...exchanges.map(({ at }) => at))
  const spanMs = Math.max(0.1, ...exchanges.map((one) => one.at + getDurationMs(one) - firstStart))
  const rows = exchanges.map((exchange) => {
    const [from, ms] = [exchange.at - firstStart, getDurationMs(exchange)]
    const bar = markup`<svg viewBox="0 0 ${chartWidth} 10" preserveAspectRatio="none" aria-hidden="true"><rect class="${chooseTone(exchange)}" x="${scaleToChart(from, spanMs)}" y="1" width="${Math.max(4, scaleToChart(ms, spanMs))}" height="8"/></svg>`
    return markup`<tr><th scope="row"><a href="#exchanges-${exchange.id}">${exchange.id}</a></th><td>${exchange.response?.status ?? 'no response'}</td><td>${formatMs(from)}</td><td>${formatMs(ms)}</td><td>${bar}</td></tr>\n`
  })
  return markup`<table class="waterfall"><caption>${name}: ${pluralize(exchanges.length, 'request')}, ${inFlight} in flight together, over ${formatMs(spanMs)}</caption>
<thead><tr><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Start</th><th scope="col">Time</th><th scope="col">Waterfall</th></tr></thead>
<tbody>${rows}</tbody></table>
`
}

function chooseTone({ response }: Exchange): 'pass' | 'warn' | 'fail' {
  if (response === undefined) return 'fail'
  return response.status < 300 ? 'pass' : 'warn'
}

function scaleToChart(ms: number, span: number): number {
  return Math.round((ms / span) * chartWidth)
}

function formatMs(ms: number): string {
  return `${Math.round(ms * 10) / 10} ms`
}
