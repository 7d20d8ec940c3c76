export { defineTests, type TestOptions, type TestRegistrar } from './define-tests.ts'
export { judge } from './judge/judge.ts'
export { readReport } from './judge/read-report.ts'
export type { Fetch } from './network/fetch-transport.ts'
export type { TlsOptions } from './network/tls-options.ts'
export { type ExitCode, exitCode } from './report/outcome.ts'
export type {
  Cause,
  Evidence,
  Excerpt,
  GroupFacts,
  Note,
  Observation,
  Report,
  RuleResult,
} from './report/report.ts'
export { catalogue } from './rules/catalogue.ts'
export type { Finding, Level, Rule, RuleProfile, Verdict } from './rules/rule.ts'
export type { HeaderValue } from './run/extra-headers.ts'
export type { JudgeOptions, KnownFailure, RunOptions } from './run/options.ts'
export type { Clock } from './run/pace.ts'
export { type Plan, type PlannedExchange, plan } from './run/plan.ts'
export { record } from './run/record.ts'
export { runConformance } from './run-conformance.ts'
export type { Profile } from './steps/profile.ts'
export type { Credential, Method } from './steps/step.ts'
export type { JsonPath, Place } from './transcript/json.ts'
export type { RatePlan } from './transcript/rate-plans.ts'
export type {
  Exchange,
  HeaderList,
  NetworkUse,
  Outcome,
  ReceivedResponse,
  SentRequest,
  Transcript,
  Wait,
} from './transcript/transcript.ts'
