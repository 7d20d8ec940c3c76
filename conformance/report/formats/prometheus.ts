import { printable } from '../../transcript/printable.ts'
import type { Report } from '../report.ts'
import { brokenRules, isKnown, verdictNames } from '../verdicts.ts'

type Labels = Readonly<Record<string, string>>

/** The samples of a metric: its value, or one value for each set of labels. */
type Samples = number | readonly (readonly [labels: Labels, value: number])[]

/** Every metric that only goes up and down, without its prefix. */
const gauges: readonly (readonly [name: string, help: string, samples: (report: Report) => Samples])[] = [
  [
    'rule',
    'The verdict of a rule, as a label. The value is 1.',
    ({ rules }) =>
      rules.map((rule) => [
        { id: rule.id, level: rule.level, verdict: rule.verdict, known: String(isKnown(rule)) },
        1,
      ]),
  ],
  [
    'rules',
    'The number of rules with a verdict.',
    ({ summary }) => verdictNames.map((verdict) => [{ verdict }, summary[verdict]]),
  ],
  [
    'failures',
    'The number of broken requirements, apart from known failures.',
    (report) => brokenRules(report).failures.length,
  ],
  ['ended_early', 'Whether the run ended early.', ({ endedEarly }) => (endedEarly === undefined ? 0 : 1)],
  ['requests', 'The number of requests of the run.', ({ requests }) => requests],
  ['created_animals', 'The number of animals that the run created.', ({ creates }) => creates],
  ['run_duration_seconds', 'The duration of the run.', ({ durationMs }) => durationMs / 1000],
  [
    'run_timestamp_seconds',
    'When the run began, as a Unix time.',
    ({ startedAt }) => Date.parse(startedAt) / 1000,
  ],
  [
    'info',
    'The suite and the profile of the run, as labels. The value is 1.',
    ({ suite, profile }) => [[{ version: suite.version, interface: suite.interface, profile }, 1]],
  ],
]

/** The names of all metrics. */
export const prometheusNames: readonly string[] = gauges.map(([name]) => nameOf(name))

function nameOf(name: string): string {
  return `pet_adoption_conformance_${name}`
}

/** Returns a file for the textfile collector of the node exporter, in Prometheus's text format. Each metric has the deployment as a label. */
export function prometheus(report: Report): string {
  const deployment = report.target.baseUrl
  const metrics = gauges.map(([name, help, samplesOf]) => {
    const samples = samplesOf(report)
    const lines = (typeof samples === 'number' ? [[{}, samples] as const] : samples).map(
      ([labels, value]) => `${nameOf(name)}${written({ deployment, ...labels })} ${value}\n`,
    )
    return `# HELP ${nameOf(name)} ${help}\n# TYPE ${nameOf(name)} gauge\n${lines.join('')}`
  })
  const notes = report.notes.map(({ message }) => `# Note: ${printable(message)}\n`)
  return [...notes, ...metrics].join('')
}

function written(labels: Labels): string {
  const texts = Object.entries(labels).map(
    ([name, value]) => `${name}="${printable(value).replace(/["\\]/g, '\\$&')}"`,
  )
  return `{${texts.join(',')}}`
}
