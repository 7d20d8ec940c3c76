import { printableJson } from '../transcript/printable.ts'
import { github } from './formats/github.ts'
import { junit } from './formats/junit.ts'
import { prometheus } from './formats/prometheus.ts'
import { sarif } from './formats/sarif.ts'
import { tap } from './formats/tap.ts'
import { html } from './html/html.ts'
import { markdown } from './markdown.ts'
import { pretty } from './pretty.ts'
import type { Report } from './report.ts'
import type { Style } from './style.ts'

/**
 * Returns the text of a report, with a line feed at its end. Only pretty has a style. HTML shows what differs from an
 * earlier report, if there is one.
 */
export type Formatter = (report: Report, style: Style, earlier?: Report) => string

export type Format =
  | 'pretty'
  | 'json'
  | 'junit'
  | 'tap'
  | 'markdown'
  | 'html'
  | 'github'
  | 'sarif'
  | 'prometheus'

/** Returns the report as JSON. Control characters are escaped, so that a terminal can show it. */
export function json(report: Report): string {
  return `${printableJson(report)}\n`
}

/** Every format by its name in `--format`. */
export const formats: Readonly<Record<Format, Formatter>> = {
  pretty,
  json,
  junit,
  tap,
  markdown,
  html: (report, _style, earlier) => html(report, earlier),
  github,
  sarif,
  prometheus,
}

/** The names of all formats. */
export const formatNames: readonly Format[] =
  // a literal's own keys
  Object.keys(formats) as Format[]
