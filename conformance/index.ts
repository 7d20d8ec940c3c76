export type { Clock } from './clock.ts'
export {
  type ChangedObservation,
  type ChangedRule,
  type ChangedTiming,
  type ComparedRun,
  type Comparison,
  compare,
  comparisonExitCode,
} from './comparison/compare.ts'
export { defineTests, type TestOptions, type TestRegistrar } from './define-tests.ts'
export { type ExitCode, exitCode } from './exit-code.ts'
export type { HeaderValue } from './extra-headers.ts'
export { judge } from './judge.ts'
export type { TlsOptions } from './network/tls-options.ts'
export type { JudgeOptions, KnownFailure, RequestEvent, RunOptions } from './options.ts'
export { type Plan, type PlannedExchange, plan } from './plan.ts'
export { record } from './record.ts'
export type {
  Cause,
  Evidence,
  Excerpt,
  Note,
  Observation,
  Report,
  ReportExchange,
  RuleResult,
} from './report/report.ts'
export { readReport } from './report/saved-report.ts'
export { catalogue } from './rules/catalogue.ts'
export type { Finding, Level, Rule, RuleProfile, Verdict } from './rules/rule.ts'
export { runConformance } from './run.ts'
export type { JsonPath, Place } from './transcript/place.ts'
export { readTranscript, writeTranscript } from './transcript/saved-transcript.ts'
export type {
  Attempt,
  Credential,
  Exchange,
  HeaderList,
  NetworkUse,
  Outcome,
  Profile,
  ReceivedResponse,
  SentRequest,
  Transcript,
  Wait,
} from './transcript/transcript.ts'
