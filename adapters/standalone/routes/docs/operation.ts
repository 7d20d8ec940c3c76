import {
  type ErrorCode,
  errors,
  type Operation,
  type OperationParameter,
  petStatuses,
} from '../../../../core/index.ts'
import { isoDate } from '../../../../core/internal.ts'
import { createSample, type Description } from './description.ts'
import { type Html, html, inline } from './html.ts'

/** Returns the section of an operation: its parameters, body and responses, and a form to try it. */
export function formatOperation(operation: Operation, basePath: string, document: Description): Html {
  const { id, method, path, summary, description, parameters, body, success, deprecated } = operation
  const { status, description: meaning, schema } = success
  const statuses = [...new Set(operation.errors.map((code) => errors[code].status))]
  const sample = (each: number) => sampleBody(createSample(document, operation, each), `${id} with ${each}`)
  const until = deprecated && ` To be removed on ${isoDate(deprecated.removal)}.`
  return html`
<section class="card" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${summary}</h2>
<p class="route"><span class="method">${method}</span> <code>${basePath}${path}</code></p>
<p${deprecated && html` class="notice"`}>${inline(description)}${until}</p>
<div class="columns">
<div>
<h3>Parameters</h3>
<dl>${parameters.map(parameterRow)}</dl>
${body && html`<h3>Body</h3><p><a href="#schema-${body}">${body}</a>, as JSON, required</p>`}
<h3>Responses</h3>
<dl>
<div><dt>${statusMark(status)}</dt><dd>${meaning}${schemaLink(schema)}${sample(status)}</dd></div>
${statuses.map((each) => errorsRow(each, operation.errors, sample(each)))}
</dl>
<p>Other <a href="#errors">errors</a> may follow any request.</p>
</div>
${tryForm(operation, basePath)}
</div>
</section>`
}

/** Returns a status, coloured by its class. */
function statusMark(status: number): Html {
  return html`<span class="status s${String(status).charAt(0)}">${status}</span>`
}

function parameterRow({ name, in: place, description, schema }: OperationParameter): Html {
  const { type = 'PetStatus', format, minimum, maximum, default: fallback } = schema
  const bounds = minimum === undefined ? '' : ` from ${minimum} to ${maximum}, ${fallback} by default`
  const note = `${type}${format ? ` (${format})` : ''}${bounds}${place === 'path' ? ', required' : ''}`
  return html`<div><dt><code>${name}</code></dt><dd><span class="note">${note}</span> ${inline(description)}</dd></div>`
}

/** Returns the name of the body of a success, with a link to its schema. */
function schemaLink(schema: string | undefined): Html | undefined {
  if (schema === undefined) return undefined
  return schema === 'Pets'
    ? html`: an array of <a href="#schema-Pet">Pet</a>`
    : html`: <a href="#schema-${schema}">${schema}</a>`
}

function sampleBody(text: string | undefined, title: string): Html | undefined {
  return text === undefined
    ? undefined
    : html`<details><summary>Sample</summary><pre tabindex="0" role="region" aria-label="Sample body of ${title}">${text}</pre></details>`
}

function errorsRow(status: number, codes: readonly ErrorCode[], sample: Html | undefined): Html {
  const here = codes.filter((code) => errors[code].status === status)
  const links = here.map((code, i) => html`${i > 0 && ', '}<a href="#error-${code}"><code>${code}</code></a>`)
  return html`<div><dt>${statusMark(status)}</dt><dd>${links}${sample}</dd></div>`
}

/** Returns a form that sends a request with what the reader types. The script of `page.html` reads its attributes. */
function tryForm({ id, method, path, parameters, body }: Operation, basePath: string): Html {
  return html`
<form class="try" data-method="${method}" data-path="${basePath}${path}" aria-label="Try ${id}" autocomplete="off">
<h3>Try it</h3>
${parameters.map((parameter) => field(`${id}-${parameter.name}`, parameter))}
${body && bodyField(`${id}-body`)}
<h4>The same with curl</h4>
<pre tabindex="0" role="region" aria-label="The request of ${id} as a curl command" data-part="curl"></pre>
<button type="button" class="quiet" data-part="copy">Copy</button>
<button>Send</button>
<p class="status-line" role="status" aria-live="polite" data-part="status-line"></p>
<div data-part="response" hidden>
<h4>Body</h4>
<pre tabindex="0" role="region" aria-label="Body of the response of ${id}" data-part="body"></pre>
<details><summary>Headers</summary><pre tabindex="0" role="region" aria-label="Headers of the response of ${id}" data-part="headers"></pre></details>
</div>
</form>`
}

function field(id: string, { name, in: place, schema }: OperationParameter): Html {
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

function bodyField(id: string): Html {
  return html`
<div class="field"><label for="${id}">Body, in JSON, sent as typed</label>
<textarea id="${id}" data-in="body" rows="6" autocomplete="off" autocapitalize="off" spellcheck="false">${example}</textarea></div>`
}

/** Returns every error, by status. */
export function formatErrorRows(codes: readonly string[]): readonly Html[] {
  const rows = Object.entries(errors)
    .filter(([code]) => codes.includes(code))
    .sort(([, one], [, other]) => one.status - other.status)
  return rows.map(
    ([code, { status, message }]) =>
      html`<div id="error-${code}"><dt><code>${code}</code></dt><dd>${statusMark(status)} ${message}</dd></div>`,
  )
}
