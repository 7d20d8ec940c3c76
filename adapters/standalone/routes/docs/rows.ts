import type { OpenApiHeader, OpenApiSchema } from '../../../../core/openapi.ts'
import { type Html, type HtmlValue, html, inline } from './html.ts'
import { typeOf } from './schema.ts'

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
    text: html`${inline(description)}, such as <code>${example}</code>`,
  }
}

/** Returns a status, coloured by its class. */
export function statusMark(status: string | number): Html {
  return html`<span class="status s${String(status).charAt(0)}">${status}</span>`
}
