import type { OpenApi, OpenApiParameter } from '../../../../core/openapi.ts'
import { type Html, html } from './html.ts'
import type { Place } from './places.ts'
import { resolve } from './schema.ts'

/** Returns a form that sends a request with the values that the reader types. `script.ts` reads the data attributes. */
export function tryForm({ operation, method, path }: Place, document: OpenApi): Html {
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

function bodyField(id: string, schema: Parameters<typeof resolve>[0], document: OpenApi): Html {
  const [example] = resolve(schema, document).examples ?? []
  const text = JSON.stringify(example, undefined, 2)
  return html`
<div class="field"><label for="${id}">Body, in JSON, sent as typed</label>
<textarea id="${id}" data-in="body" rows="6" autocomplete="off" autocapitalize="off" spellcheck="false">${text}</textarea></div>`
}
