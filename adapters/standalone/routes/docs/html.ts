/** Markup, which is not escaped. */
export interface Html {
  readonly markup: string
}

/** A value in an HTML template. Strings are escaped, arrays are joined, and `undefined` and `false` insert nothing. */
export type HtmlValue = string | number | Html | undefined | false | readonly HtmlValue[]

/** Template tag that escapes its values. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { markup: parts.reduce((text, part, i) => text + render(values[i - 1]) + part) }
}

/** Formats text in which backticks mark code. */
export function formatInlineCode(text: string): readonly Html[] {
  return text.split('`').map((part, i) => (i % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
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
  if (typeof value === 'object') return 'markup' in value ? value.markup : value.map(render).join('')
  return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
