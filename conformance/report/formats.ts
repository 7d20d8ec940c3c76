import { printableJson } from '../transcript/printable.ts'
import { github } from './formats/github.ts'
import { junit } from './formats/junit.ts'
import { html } from './html/html.ts'
import { markdown } from './markdown.ts'
import { pretty } from './pretty.ts'
import type { Report } from './report.ts'
import type { Style } from './style.ts'

/** Returns the text of a report, with a line feed at its end. Only pretty has a style. */
export type Formatter = (report: Report, style: Style) => string

export type Format = 'pretty' | 'json' | 'junit' | 'markdown' | 'html' | 'github'

/** Returns the report as JSON. Control characters are escaped, so that a terminal can show it. */
export function json(report: Report): string {
  return `${printableJson(report)}\n`
}

/** Every format by its name in `--format`. */
export const formats: Readonly<Record<Format, Formatter>> = { pretty, json, junit, markdown, html, github }

/** The names of all formats. */
export const formatNames: readonly Format[] =
  // a literal's own keys
  Object.keys(formats) as Format[]
