import type { OpenApi, OpenApiError } from '../../../../core/openapi.ts'
import { codesOf, placesOf, propertiesOf } from './description.ts'
import {
  commaSeparated,
  fieldRow,
  type Html,
  headerRow,
  html,
  type Row,
  rows,
  statusMark,
  typeOf,
} from './html.ts'

/** Returns the sections on what all operations share: limits, headers, errors, schemas. */
export function referenceSections(document: OpenApi): Html {
  const { components } = document
  const sections: readonly (readonly [id: string, title: string, content: Html | undefined])[] = [
    ['limits', 'Limits', limits(document)],
    ['headers', 'Headers', rows(Object.entries(components.headers).map(headerRow))],
    ['errors', 'Errors', errors(document)],
    ['schemas', 'Schemas', schemas(document)],
  ]
  return html`${sections.map(
    ([id, title, content]) => html`
<section class="card" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${content}
</section>`,
  )}`
}

function limits({ 'x-rateLimits': plans }: OpenApi): Html {
  const format = (n: number) => n.toLocaleString('en')
  return html`
<p>Both limits hold. <code>anonymous</code> is for clients without a valid key: all of them at one address share it.</p>
<table>
<thead><tr><th scope="col">Plan</th><th scope="col">Requests per minute</th><th scope="col">Requests per day</th></tr></thead>
<tbody>${Object.entries(plans).map(
    ([plan, { minute, day }]) =>
      html`<tr><th scope="row">${plan}</th><td>${format(minute)}</td><td>${format(day)}</td></tr>`,
  )}<tr><th scope="row">enterprise</th><td>custom</td><td>custom</td></tr></tbody>
</table>`
}

const ofEvery = 'Every operation'
const ofNone = 'Other paths and methods'

/** Returns each error once, under the operations that return it. */
function errors(document: OpenApi): Html {
  const all = document.components.schemas.Error.examples
  const places = placesOf(document)
  const titleOf = ({ code }: OpenApiError) => {
    const returning = places.filter(({ operation }) => codesOf(operation).includes(code))
    if (returning.length === places.length) return ofEvery
    return returning.map(({ operation }) => operation.summary).join(', ') || ofNone
  }
  const titles = new Set([ofEvery, ...places.map(({ operation }) => operation.summary), ...all.map(titleOf)])
  return html`${[...titles].map(
    (title) => html`<h3>${title}</h3>${rows(all.filter((error) => titleOf(error) === title).map(errorRow))}`,
  )}`
}

function errorRow({ code, message, status }: OpenApiError): Row {
  return {
    id: `error-${code}`,
    term: html`<code>${code}</code>`,
    text: html`${statusMark(status)} ${message}`,
  }
}

function schemas(document: OpenApi): Html {
  const all = Object.entries(document.components.schemas)
  return html`${all.map(([name, schema]) => {
    const properties = propertiesOf(schema, document)
    return html`
<div id="schema-${name}"><h3>${name}</h3>
${properties.length === 0 && html`<p>${schema.enum ? commaSeparated(schema.enum.map((value) => html`<code>${value}</code>`)) : typeOf(schema)}</p>`}
${rows(properties.map(({ name, schema, required }) => fieldRow(name, schema, required, schema.description)))}
</div>`
  })}`
}
