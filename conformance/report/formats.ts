import type { Style } from './ansi.ts'
import { github } from './github.ts'
import { html } from './html.ts'
import { json } from './json.ts'
import { junit } from './junit.ts'
import { markdown } from './markdown.ts'
import { pretty } from './pretty.ts'
import type { Report } from './report.ts'
import { tap } from './tap.ts'

/** Makes the whole text of a report, the last line feed included. The style is for pretty; the others have one look. */
export type Formatter = (report: Report, style: Style) => string

export type Format = 'pretty' | 'json' | 'junit' | 'tap' | 'markdown' | 'html' | 'github'

/** Every format by its name on the command line. */
export const formats: Readonly<Record<Format, Formatter>> = {
  pretty,
  json,
  junit,
  tap,
  markdown,
  html,
  github,
}
