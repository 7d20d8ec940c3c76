import { judge } from './judge/judge.ts'
import { readSelection } from './judge/selection.ts'
import type { Report } from './report/report.ts'
import { type RunOptions, readOptions } from './run/options.ts'
import { record } from './run/record.ts'
import { createRunRedactor, redactReasons } from './run/secrets.ts'

/**
 * Sends the requests of a profile to a deployment and judges the responses.
 *
 * @param options The deployment, what to send and what to judge.
 * @returns The report. Whatever the deployment does is in the report, and does not reject the promise.
 * @throws {TypeError} if an option is missing or invalid. Nothing is sent then.
 *
 * @example
 * import { exitCode, runConformance } from 'pet-adoption-service/conformance'
 *
 * const report = await runConformance({ baseUrl: 'https://api.example.com/v1', apiKey: 'key-of-a-test-account' })
 * for (const { id, verdict, reason } of report.rules) console.log(id, verdict, reason)
 * console.log(exitCode(report))
 */
export async function runConformance(options: RunOptions): Promise<Report> {
  readSelection(options)
  const settings = readOptions(options)
  const redact = createRunRedactor(settings, settings)
  const knownFailures = redactReasons(options.knownFailures ?? [], redact)
  return judge(await record(options), { ...options, knownFailures })
}
