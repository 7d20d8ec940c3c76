import { type ErrorCode, errors, operations, plans } from '../../../../core/index.ts'
import { type Html, html } from './html.ts'
import { statusMark } from './operation.ts'

/** Returns the section on the limits of each plan, and on the headers that show them. */
export function limitsSection(): Html {
  const numbers = Object.entries(plans).map(([plan, { minute, day }]) => [
    plan,
    minute.toLocaleString('en'),
    day.toLocaleString('en'),
  ])
  return html`
<section class="card" id="limits" aria-labelledby="limits-title">
<h2 id="limits-title">Limits</h2>
<p>Both limits hold. Clients without a valid key have those of <code>free</code>: all of them at one address share them. Every response has <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and <code>X-RateLimit-Reset</code>. After a 429, wait for the seconds in <code>Retry-After</code>; after each further one, twice as long.</p>
<table>
<thead><tr><th scope="col">Plan</th><th scope="col">Requests per minute</th><th scope="col">Requests per day</th></tr></thead>
<tbody>${[...numbers, ['enterprise', 'custom', 'custom']].map(
    ([plan, minute, day]) => html`<tr><th scope="row">${plan}</th><td>${minute}</td><td>${day}</td></tr>`,
  )}</tbody>
</table>
</section>`
}

const ofNone: readonly ErrorCode[] = ['route_not_found', 'method_not_allowed']

/** Returns the section that has each error once: those of every operation, and of the first one that may return it. */
export function errorsSection(): Html {
  const ofSome = [...operations.flatMap((operation) => operation.errors), ...ofNone]
  const all = Object.keys(errors) as ErrorCode[] // the keys of the record
  const groups = [
    { title: 'Every operation', codes: all.filter((code) => !ofSome.includes(code)) },
    ...operations.map(({ summary: title, errors: codes }) => ({ title, codes })),
    { title: 'Other paths and methods', codes: ofNone },
  ]
  const shown = groups.map(({ title, codes }, i) => {
    const before = groups.slice(0, i).flatMap((group) => group.codes)
    return { title, codes: codes.filter((code) => !before.includes(code)) }
  })
  return html`
<section class="card" id="errors" aria-labelledby="errors-title">
<h2 id="errors-title">Errors</h2>
${shown
  .filter(({ codes }) => codes.length > 0)
  .map(({ title, codes }) => html`<h3>${title}</h3><dl>${codes.map(errorRow)}</dl>`)}
</section>`
}

function errorRow(code: ErrorCode): Html {
  const [status, message] = errors[code]
  return html`<div id="error-${code}"><dt><code>${code}</code></dt><dd>${statusMark(status)} ${message}</dd></div>`
}
