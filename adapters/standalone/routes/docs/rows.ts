import type { OpenApiHeader, OpenApiSchema } from '../../../../core/openapi.ts'
import { type Html, type HtmlValue, html } from './html.ts'
import { typeOf } from './schema.ts'

/** One thing that is explained: what it is called, of what kind it is, and what it means. */
export interface Row {
  readonly id?: string
  readonly term: HtmlValue
  readonly note?: HtmlValue
  readonly text: HtmlValue
}

/** A list of rows; nothing where there are none. */
export function rows(list: readonly Row[]): Html | undefined {
  if (list.length === 0) return undefined
  return html`<dl>${list.map(
    ({ id, term, note, text }) => html`
<div${id !== undefined && html` id="${id}"`}><dt>${term}</dt><dd>${note && html`<span class="note">${note}</span> `}${text}</dd></div>`,
  )}
</dl>`
}

/** A parameter or a property as a row. */
export function fieldRow(name: string, schema: OpenApiSchema, isRequired: boolean, text: HtmlValue): Row {
  return {
    term: html`<code>${name}</code>`,
    note: html`${typeOf(schema)}${isRequired && ', required'}`,
    text,
  }
}

/** A header as a row, wherever it is listed. */
export function headerRow([name, { description, example }]: readonly [string, OpenApiHeader]): Row {
  return { term: html`<code>${name}</code>`, text: html`${description}, such as <code>${example}</code>` }
}

/** A status, coloured by its class. */
export function statusMark(status: string | number): Html {
  return html`<span class="status s${String(status).charAt(0)}">${status}</span>`
}
