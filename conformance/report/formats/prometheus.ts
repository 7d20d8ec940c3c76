import { printable } from '../../transcript/printable.ts'
import type { Report } from '../report.ts'
import { brokenRules, isKnown, verdictNames } from '../verdicts.ts'

type Labels = Readonly<Record<string, string>>

/** A metric that only goes up and down, with its samples. */
interface Gauge {
  readonly name: string
  readonly help: string
  readonly samples: (report: Report) => readonly (readonly [labels: Labels, value: number])[]
}

const one =
  (value: (report: Report) => number): Gauge['samples'] =>
  (report) => [[{}, value(report)]]

/** Every metric, without its prefix. */
const gauges: readonly Gauge[] = [
  {
    name: 'rule',
    help: 'The verdict of a rule, as a label. The value is 1.',
    samples: ({ rules }) =>
      rules.map((rule) => [
        { id: rule.id, level: rule.level, verdict: rule.verdict, known: String(isKnown(rule)) },
        1,
      ]),
  },
  {
    name: 'rules',
    help: 'The number of rules with a verdict.',
    samples: ({ summary }) => verdictNames.map((verdict) => [{ verdict }, summary[verdict]]),
  },
  {
    name: 'failures',
    help: 'The number of broken requirements, apart from known failures.',
    samples: one((report) => brokenRules(report).failures.length),
  },
  {
    name: 'ended_early',
    help: 'Whether the run ended early.',
    samples: one(({ endedEarly }) => (endedEarly === undefined ? 0 : 1)),
  },
  {
    name: 'requests',
    help: 'The number of requests of the run.',
    samples: one(({ requests }) => requests),
  },
  {
    name: 'created_animals',
    help: 'The number of animals that the run created.',
    samples: one(({ creates }) => creates),
  },
  {
    name: 'run_duration_seconds',
    help: 'The duration of the run.',
    samples: one(({ durationMs }) => durationMs / 1000),
  },
  {
    name: 'run_timestamp_seconds',
    help: 'When the run began, as a Unix time.',
    samples: one(({ startedAt }) => Date.parse(startedAt) / 1000),
  },
  {
    name: 'info',
    help: 'The suite and the profile of the run, as labels. The value is 1.',
    samples: ({ suite, profile }) => [[{ version: suite.version, interface: suite.interface, profile }, 1]],
  },
]

/** The names of all metrics. */
export const prometheusNames: readonly string[] = gauges.map(({ name }) => nameOf(name))

function nameOf(name: string): string {
  return `pet_adoption_conformance_${name}`
}

/** Returns a file for the textfile collector of the node exporter, in Prometheus's text format. Each metric has the deployment as a label. */
export function prometheus(report: Report): string {
  const deployment = report.target.baseUrl
  const metrics = gauges.map(({ name, help, samples }) => {
    const lines = samples(report).map(
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
