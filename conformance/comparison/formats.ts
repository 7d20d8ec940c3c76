import type { Style } from '../report/style.ts'
import { printableJson } from '../transcript/printable.ts'
import type { Comparison } from './compare.ts'
import { markdownComparison } from './markdown.ts'
import { prettyComparison } from './pretty.ts'

export type ComparisonFormat = 'pretty' | 'json' | 'markdown'

/** Every format of a comparison by its name in `--format`. */
export const comparisonFormats: Readonly<
  Record<ComparisonFormat, (comparison: Comparison, style: Style) => string>
> = {
  pretty: prettyComparison,
  json: (comparison) => `${printableJson(comparison)}\n`,
  markdown: markdownComparison,
}

/** The names of these formats. */
export const comparisonFormatNames: readonly ComparisonFormat[] =
  // a literal's own keys
  Object.keys(comparisonFormats) as ComparisonFormat[]
