/** Text that is HTML, and is not escaped. */
export interface Html {
  readonly markup: string
}

/** A value in a template: strings and numbers are escaped, lists joined, `undefined` and `false` left out. */
export type HtmlValue = string | number | Html | undefined | false | readonly HtmlValue[]

/** Returns the HTML of a template. Its values are escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { markup: parts.reduce((text, part, i) => text + render(values[i - 1]) + part) }
}

/** Returns the HTML of a text with code between backticks. */
export function inline(text: string): readonly Html[] {
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
