import type {
  OpenApi,
  OpenApiHeader,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiSchema,
} from '../../../../core/openapi.ts'
import { codesOf, commonCodesOf, type Place, resolve } from './description.ts'
import {
  commaSeparated,
  fieldRow,
  type Html,
  headerRow,
  html,
  inline,
  type Row,
  rows,
  statusMark,
  typeOf,
} from './html.ts'

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

/** Returns a form that sends a request with the values that the reader types. `script.ts` reads the data attributes. */
function tryForm({ operation, method, path }: Place, document: OpenApi): Html {
  const { operationId, parameters = [], requestBody } = operation
  return html`
<form class="try" data-method="${method}" data-path="${path}" aria-label="Try ${operationId}" autocomplete="off">
<h3>Try it</h3>
${parameters.map((parameter) => field(`${operationId}-${parameter.name}`, parameter, document))}
${requestBody && bodyField(`${operationId}-body`, requestBody.content['application/json'].schema, document)}
<button>Send</button>
<p class="status-line" role="status" aria-live="polite" data-part="status-line"></p>
<div data-part="response" hidden>
<h4>Body, as received</h4>
<pre tabindex="0" role="region" aria-label="Body of the response" data-part="body"></pre>
<details><summary>Headers</summary><pre tabindex="0" role="region" aria-label="Headers of the response" data-part="headers"></pre></details>
<details><summary>The same with curl</summary><pre tabindex="0" role="region" aria-label="The request as a curl command" data-part="curl"></pre></details>
</div>
</form>`
}

function field(id: string, { name, in: place, required, schema }: OpenApiParameter, document: OpenApi): Html {
  const { enum: choices, type, default: fallback } = resolve(schema, document)
  const attributes = html`id="${id}" name="${name}" data-in="${place}"${required && ' required'}`
  const input = choices
    ? html`<select ${attributes}><option value="">any</option>${choices.map((choice) => html`<option>${choice}</option>`)}</select>`
    : html`<input ${attributes}${type === 'integer' && html` inputmode="numeric"`}${fallback !== undefined && html` placeholder="${fallback}"`} autocomplete="off" spellcheck="false">`
  return html`<div class="field"><label for="${id}"><code>${name}</code></label>${input}</div>`
}

function bodyField(id: string, schema: OpenApiSchema, document: OpenApi): Html {
  const [example] = resolve(schema, document).examples ?? []
  const text = JSON.stringify(example, undefined, 2)
  return html`
<div class="field"><label for="${id}">Body, in JSON, sent as typed</label>
<textarea id="${id}" data-in="body" rows="6" autocomplete="off" autocapitalize="off" spellcheck="false">${text}</textarea></div>`
}
