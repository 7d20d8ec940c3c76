import type { OpenApiHeader, OpenApiSchema } from '../../../../core/openapi.ts'
import { nameOf } from './description.ts'

/** Text that is HTML, and is not escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value in a template: strings and numbers are escaped, lists joined, `undefined` and `false` left out. */
export type HtmlValue = string | number | Html | undefined | false | readonly HtmlValue[]

/** Returns the HTML of a template. Its values are escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.reduce((text, part, i) => text + render(values[i - 1]) + part))
}

/** Returns the HTML of a description in Markdown: paragraphs, and code between backticks. */
export function markdown(text: string): Html {
  return html`${text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`
}

/** Returns the HTML of a text with code between backticks. */
export function inline(text: string): readonly Html[] {
  return text.split('`').map((part, i) => (i % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
}

export function commaSeparated(list: readonly Html[]): readonly Html[] {
  return list.map((item, i) => (i === 0 ? item : html`, ${item}`))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function render(value: HtmlValue): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(render).join('')
  return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** An entry of a list: a term, a note on its kind, and its description. */
export interface Row {
  readonly id?: string
  readonly term: HtmlValue
  readonly note?: HtmlValue
  readonly text: HtmlValue
}

/** Returns a list of rows; undefined where there are none. */
export function rows(list: readonly Row[]): Html | undefined {
  if (list.length === 0) return undefined
  return html`<dl>${list.map(
    ({ id, term, note, text }) => html`
<div${id !== undefined && html` id="${id}"`}><dt>${term}</dt><dd>${note && html`<span class="note">${note}</span> `}${text}</dd></div>`,
  )}
</dl>`
}

/** Returns the row of a parameter or a property. */
export function fieldRow(name: string, schema: OpenApiSchema, isRequired: boolean, text = ''): Row {
  return {
    term: html`<code>${name}</code>`,
    note: html`${typeOf(schema)}${isRequired && ', required'}`,
    text: inline(text),
  }
}

/** Returns the row of a header. */
export function headerRow([name, { description, example }]: readonly [string, OpenApiHeader]): Row {
  return {
    term: html`<code>${name}</code>`,
    text: html`${inline(description)}. Example: <code>${example}</code>`,
  }
}

/** Returns a status, coloured by its class. */
export function statusMark(status: string | number): Html {
  return html`<span class="status s${String(status).charAt(0)}">${status}</span>`
}

/** Returns the type of a schema in words: `integer (int64)`, `array of Pet`. */
export function typeOf(schema: OpenApiSchema): Html {
  const name = nameOf(schema)
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`
  const { type = 'any', format, items, minimum, maximum, maxLength, default: fallback } = schema
  return html`${type}${format && ` (${format})`}${items && html` of ${typeOf(items)}`}${
    minimum !== undefined && ` from ${minimum}`
  }${maximum !== undefined && ` to ${maximum}`}${
    maxLength !== undefined && `, at most ${maxLength} characters`
  }${fallback !== undefined && `, ${fallback} by default`}`
}
