import {
  ApiError,
  type ErrorCode,
  errors,
  type Operation,
  type OperationParameter,
  petStatuses,
} from '../../../../core/index.ts'
import { toIsoDate } from '../../../../core/internal.ts'
import { formatInlineCode, type Html, html } from './html.ts'
import type { Schemas } from './schemas.ts'

/** Formats an operation's section: parameters, body, responses, and a form that sends a request. */
export function formatOperation(operation: Operation, basePath: string, schemas: Schemas): Html {
  const { id, method, path, summary, description, parameters, body, success, deprecated } = operation
  const { status, description: meaning, schema } = success
  const statuses = [...new Set(operation.errors.map((code) => errors[code].status))]
  const [example] = schemas[schema ?? '']?.examples ?? []
  const until = deprecated && ` To be removed on ${toIsoDate(deprecated.removal)}.`
  return html`
<section class="card" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${summary}</h2>
<p class="route"><span class="method">${method}</span> <code>${basePath}${path}</code></p>
<p${deprecated && html` class="notice"`}>${formatInlineCode(description)}${until}</p>
<div class="columns">
<div>
<h3>Parameters</h3>
<dl>${parameters.map(formatParameter)}</dl>
${body && html`<h3>Body</h3><p><a href="#schema-${body}">${body}</a>, as JSON, required</p>`}
<h3>Responses</h3>
<dl>
<div><dt>${formatStatus(status)}</dt><dd>${meaning}${formatSchemaLink(schema)}${example !== undefined && formatSample(example, id, status)}</dd></div>
${statuses.map((each) => formatErrors(each, operation))}
</dl>
<p>Any request can also return other <a href="#errors">errors</a>.</p>
</div>
${formatTryForm(operation, basePath)}
</div>
</section>`
}

/** Formats a status, colored by its class. */
function formatStatus(status: number): Html {
  return html`<span class="status s${String(status).charAt(0)}">${status}</span>`
}

function formatParameter({ name, in: place, description, schema }: OperationParameter): Html {
  const { type = 'PetStatus', format, minimum, maximum, default: fallback } = schema
  const bounds = minimum === undefined ? '' : ` from ${minimum} to ${maximum}, ${fallback} by default`
  const note = `${type}${format ? ` (${format})` : ''}${bounds}${place === 'path' ? ', required' : ''}`
  return html`<div><dt><code>${name}</code></dt><dd><span class="note">${note}</span> ${formatInlineCode(description)}</dd></div>`
}

/** Formats a link to a successful response's schema. */
function formatSchemaLink(schema: string | undefined): Html | undefined {
  if (schema === undefined) return undefined
  return schema === 'Pets'
    ? html`: an array of <a href="#schema-Pet">Pet</a>`
    : html`: <a href="#schema-${schema}">${schema}</a>`
}

function formatSample(body: unknown, id: string, status: number): Html {
  const label = `Sample body of ${id} with ${status}`
  return html`<details><summary>Sample</summary><pre tabindex="0" role="region" aria-label="${label}">${JSON.stringify(body, null, 2)}</pre></details>`
}

function formatErrors(status: number, { id, errors: codes }: Operation): Html {
  const here = codes.filter((code) => errors[code].status === status)
  const links = here.map((code, i) => html`${i > 0 && ', '}<a href="#error-${code}"><code>${code}</code></a>`)
  const samples = here.slice(0, 1).map((code) => formatSample(createBody(code), id, status))
  return html`<div><dt>${formatStatus(status)}</dt><dd>${links}${samples}</dd></div>`
}

function createBody(code: ErrorCode): unknown {
  return JSON.parse(new ApiError(code).toJson())
}

/** Formats the form that sends a request. The script in `page.html` reads its attributes. */
function formatTryForm({ id, method, path, parameters, body }: Operation, basePath: string): Html {
  return html`
<form class="try" data-method="${method}" data-path="${basePath}${path}" aria-label="Try ${id}" autocomplete="off">
<h3>Try it</h3>
${parameters.map((parameter) => formatField(`${id}-${parameter.name}`, parameter))}
${body && formatBodyField(`${id}-body`)}
<h4>The same with curl</h4>
<pre tabindex="0" role="region" aria-label="curl command for ${id}" data-part="curl"></pre>
<button type="button" class="quiet" data-part="copy">Copy</button>
<button>Send</button>
<p class="status-line" role="status" aria-live="polite" data-part="status-line"></p>
<div data-part="response" hidden>
<h4>Body</h4>
<pre tabindex="0" role="region" aria-label="Response body for ${id}" data-part="body"></pre>
<details><summary>Headers</summary><pre tabindex="0" role="region" aria-label="Response headers for ${id}" data-part="headers"></pre></details>
</div>
</form>`
}

function formatField(id: string, { name, in: place, schema }: OperationParameter): Html {
  const attributes = html`id="${id}" name="${name}" data-in="${place}"${place === 'path' && ' required'}`
  const choices = petStatuses.map((status) => html`<option>${status}</option>`)
  const input =
    name === 'status'
      ? html`<select ${attributes}><option value="">any</option>${choices}</select>`
      : html`<input ${attributes}${schema.type === 'integer' && html` inputmode="numeric"`} autocomplete="off" spellcheck="false">`
  return html`<div class="field"><label for="${id}"><code>${name}</code></label>${input}</div>`
}

const example = `{
  "name": "Mia",
  "categoryId": 3,
  "status": "available"
}`

function formatBodyField(id: string): Html {
  return html`
<div class="field"><label for="${id}">JSON body, sent as typed</label>
<textarea id="${id}" data-in="body" rows="6" autocomplete="off" autocapitalize="off" spellcheck="false">${example}</textarea></div>`
}

/** Formats all error codes, sorted by status. */
export function formatErrorRows(): readonly Html[] {
  const rows = Object.entries(errors).sort(([, one], [, other]) => one.status - other.status)
  return rows.map(
    ([code, { status, message }]) =>
      html`<div id="error-${code}"><dt><code>${code}</code></dt><dd>${formatStatus(status)} ${message}</dd></div>`,
  )
}
