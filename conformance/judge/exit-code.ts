import type { Report } from '../report/report.ts'

/**
 * The exit code of a program that judged a deployment. 0: every selected MUST holds or does not apply. 1: a MUST is
 * broken, or a known failure no longer fails. 3: something selected could not be judged.
 */
export type ExitCode = 0 | 1 | 3

/**
 * Returns the exit code for a report.
 *
 * @param report The report of `judge` or `runConformance`.
 * @param options.allowInconclusive Whether a MUST without evidence is ignored; false by default. If the run ended
 * early, it is not ignored.
 *
 * @example
 * import { readFileSync } from 'node:fs'
 * import { exitCode, judge, readTranscript } from 'pet-adoption-service/conformance'
 *
 * const report = judge(readTranscript(readFileSync('transcript.json', 'utf8')))
 * process.exitCode = exitCode(report, { allowInconclusive: true })
 */
export function exitCode(
  { rules, endedEarly }: Report,
  { allowInconclusive = false }: { readonly allowInconclusive?: boolean } = {},
): ExitCode {
  const selected = rules.filter(({ deselected }) => deselected === undefined)
  const hasFailure = selected.some(({ verdict, known }) =>
    known === undefined ? verdict === 'fail' : verdict === 'pass',
  )
  if (hasFailure) return 1
  const ended = endedEarly !== undefined
  const open = selected.some(
    ({ verdict, level }) =>
      (verdict === 'not-run' && ended) ||
      (verdict === 'inconclusive' && level === 'MUST' && (ended || !allowInconclusive)),
  )
  return open ? 3 : 0
}
