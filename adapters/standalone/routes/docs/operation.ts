import type { OpenApi, OpenApiHeader, OpenApiOperation } from '../../../../core/openapi.ts'
import { commaSeparated, type Html, html, inline } from './html.ts'
import { codesOf, commonCodesOf, type Place } from './places.ts'
import { fieldRow, headerRow, type Row, rows, statusMark } from './rows.ts'
import { typeOf } from './schema.ts'
import { tryForm } from './try-form.ts'

/** Returns the section of an operation: its parameters, body, responses and headers, and a form to try it. */
export function operationSection(place: Place, document: OpenApi): Html {
  const { operation, method, path } = place
  const { operationId: id, summary, description, deprecated, parameters = [], requestBody } = operation
  const stability = operation['x-stability']
  return html`
<section class="card" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${summary}</h2>
<p class="route"><span class="method">${method}</span> <code>${path}</code>${stability && html` <span class="tag">${stability}</span>`}</p>
<p${deprecated && html` class="notice"`}>${inline(description)}</p>
<div class="columns">
<div>
${parameters.length > 0 && html`<h3>Parameters</h3>`}
${rows(
  parameters.map(({ name, schema, required = false, description }) =>
    fieldRow(name, schema, required, description),
  ),
)}
${requestBody && html`<h3>Body</h3><p>${typeOf(requestBody.content['application/json'].schema)}, required</p>`}
<h3>Responses</h3>
${rows(responseRows(operation, commonCodesOf(document)))}
<p>And the <a href="#errors">errors of every operation</a>.</p>
${headersSection(operation)}
</div>
${tryForm(place, document)}
</div>
</section>`
}

/** Returns a row for each status. The errors that every operation has are left out. */
function responseRows({ responses }: OpenApiOperation, common: readonly string[]): readonly Row[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    if (!response.content) return [{ term: statusMark(status), text: html`${response.description}` }]
    const { schema, examples } = response.content['application/json']
    const own = codesOf(response).filter((code) => !common.includes(code))
    if (examples && own.length === 0) return []
    const errors = own.map((code) => html`<a href="#error-${code}"><code>${code}</code></a>`)
    const text = examples ? commaSeparated(errors) : html`${response.description}: ${typeOf(schema)}`
    return [{ term: statusMark(status), text }]
  })
}

/** Returns the list of the headers that only this operation has. */
function headersSection({ responses }: OpenApiOperation): Html | undefined {
  const own = new Map<string, OpenApiHeader>()
  for (const { headers } of Object.values(responses)) {
    for (const [name, header] of Object.entries(headers)) {
      if ('description' in header) own.set(name, header)
    }
  }
  if (own.size === 0) return undefined
  return html`<h3>Headers of its responses</h3>${rows([...own].map(headerRow))}`
}
