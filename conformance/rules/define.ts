import type { Level, Rule, RuleProfile } from './rule.ts'

/** Makes a rule of one level. */
type Define = (id: string, section: string, title: string, judge: Rule['judge']) => Rule

/** Makers of the rules that one profile judges, by level. */
export function rulesOf(profile: RuleProfile): Readonly<Record<'must' | 'should' | 'http', Define>> {
  const define =
    (level: Level): Define =>
    (id, section, title, judge) => ({ id, level, section, title, profile, judge })
  return { must: define('MUST'), should: define('SHOULD'), http: define('HTTP') }
}
