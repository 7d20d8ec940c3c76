import type { Rule } from '../index.ts'
import { printableJson } from '../transcript/printable.ts'

/** The text of `--list`, one line for each rule: id, level, section, profile, title. */
export function ruleList(rules: readonly Rule[]): string {
  const widths = { id: 9, level: 6, section: 4, profile: 7 }
  const columns = (rule: Rule): readonly string[] => [
    rule.id.padEnd(widths.id),
    rule.level.padEnd(widths.level),
    rule.section.padEnd(widths.section),
    rule.profile.padEnd(widths.profile),
    rule.title,
  ]
  return rules.map((rule) => `${columns(rule).join('  ')}\n`).join('')
}

/** The text of `--list --format json`: an array of the rules, each with `id`, `level`, `section`, `statement`, `title` and `profile`. */
export function ruleListJson(rules: readonly Rule[]): string {
  return `${printableJson(rules.map(({ judge: _, ...facts }) => facts))}\n`
}
