export type { Clock } from './clock.ts'
export { defineTests, type TestOptions, type TestRegistrar } from './define-tests.ts'
export { type ExitCode, exitCode } from './exit-code.ts'
export { judge } from './judge.ts'
export type { JudgeOptions, KnownFailure, RunOptions } from './options.ts'
export { type Plan, type PlannedExchange, plan } from './plan.ts'
export { record } from './record.ts'
export type { Observation, Report, ReportExchange, RuleResult } from './report/report.ts'
export { catalogue } from './rules/catalogue.ts'
export type { Finding, Level, Rule, RuleProfile, Verdict } from './rules/rule.ts'
export { runConformance } from './run.ts'
export { readTranscript, writeTranscript } from './transcript/saved-transcript.ts'
export type {
  Credential,
  Exchange,
  HeaderList,
  Profile,
  ReceivedResponse,
  SentRequest,
  Transcript,
} from './transcript/transcript.ts'
