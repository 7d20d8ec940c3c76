import type { Report } from './report/report.ts'

/**
 * 0: every selected MUST holds or does not apply. 1: one is broken, or a known failure no longer fails.
 * 3: something selected could not be judged.
 */
export type ExitCode = 0 | 1 | 3

/** How a program that ran the suite is to exit. `allowInconclusive` forgives a MUST without evidence, and no more. */
export function exitCode(
  { rules, endedEarly }: Report,
  { allowInconclusive = false }: { readonly allowInconclusive?: boolean } = {},
): ExitCode {
  const selected = rules.filter(({ deselected }) => deselected === undefined)
  const counts = selected.some(({ verdict, known }) =>
    known === undefined ? verdict === 'fail' : verdict === 'pass',
  )
  if (counts) return 1
  const ended = endedEarly !== undefined
  const open = selected.some(
    ({ verdict, level }) =>
      (verdict === 'not-run' && ended) ||
      (verdict === 'inconclusive' && level === 'MUST' && (ended || !allowInconclusive)),
  )
  return open ? 3 : 0
}
