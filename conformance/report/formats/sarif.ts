import { printable, printableJson } from '../../transcript/printable.ts'
import { factsOf, runProblems } from '../outcome.ts'
import type { Report, ReportExchange, RuleResult } from '../report.ts'
import { statementText } from '../sections.ts'
import { isBroken, isKnown } from '../verdicts.ts'

type Json = Readonly<Record<string, unknown>>

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

const text = (value: string): Json => ({ text: printable(value) })

/** What a rule requires (SARIF 3.49). A viewer shows its help next to each result. */
function descriptor({ id, level, section, statement, title, profile }: RuleResult): Json {
  const sentence = statementText(statement)
  const about = `${level}, section ${section} of the interface, judged by the profile ${profile}`
  return {
    id,
    shortDescription: text(title),
    help: {
      ...text(`${title}. ${about}: ${sentence}`),
      markdown: `${printable(title)}.\n\n${about}: ${printable(sentence)}`,
    },
    defaultConfiguration: { level: level === 'MUST' ? 'error' : 'warning' },
    properties: { tags: [level, `section ${section}`, `profile ${profile}`] },
  }
}

/** The request of the evidence. Its path is relative, as code scanning rejects addresses of another scheme than `file`. */
function location({ request }: ReportExchange, { target }: Report): Json {
  const [path = ''] = request.target.split('?')
  const uri = path.slice(1).toWellFormed().split('/').map(encodeURIComponent).join('/')
  return {
    physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } },
    logicalLocations: [
      {
        fullyQualifiedName: printable(`${request.method} ${target.baseUrl}${request.target}`),
        kind: 'resource',
      },
    ],
  }
}

/** A broken rule (SARIF 3.27). A known failure is suppressed with its reason. */
function result(rule: RuleResult, index: number, report: Report): Json {
  const evidence = report.exchanges.find(({ id }) => id === rule.exchanges[0])
  const status = evidence?.response?.status
  const lines = factsOf(rule, report).map(({ name, text }) => `${name}: ${text}`)
  return {
    ruleId: rule.id,
    ruleIndex: index,
    level: rule.verdict === 'fail' ? 'error' : 'warning',
    message: { text: [rule.title, ...lines].map(printable).join('\n') },
    ...(evidence && {
      locations: [location(evidence, report)],
      webRequest: { method: printable(evidence.request.method), target: printable(evidence.request.target) },
      webResponse: status === undefined ? { noResponseReceived: true } : { statusCode: status },
    }),
    fingerprints: { 'ruleAndDeployment/v1': printable(`${rule.id} ${report.target.baseUrl}`) },
    partialFingerprints: { primaryLocationLineHash: `${rule.id}:1` },
    ...(isKnown(rule) && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: printable(rule.known ?? '') }],
    }),
  }
}

/** The problems of the run, and the notes on it (SARIF 3.58). */
function notifications(report: Report): readonly Json[] {
  const open = report.rules.filter(({ verdict }) => verdict === 'inconclusive')
  return [
    ...runProblems(report).map(({ title, message }) => ({
      level: 'error',
      message: text(`${title}: ${message}`),
    })),
    ...report.notes.map(({ message }) => ({ level: 'note', message: text(message) })),
    ...open.map(({ id, reason }) => ({
      level: 'note',
      message: text(`not judged for lack of evidence: ${reason}`),
      associatedRule: { id },
    })),
  ]
}

/** Returns SARIF 2.1.0: each rule with its help, and a result for each broken one. */
export function sarif(report: Report): string {
  const { suite, profile, startedAt, endedEarly } = report
  const results = report.rules.flatMap((rule, index) => (isBroken(rule) ? [result(rule, index, report)] : []))
  const run = {
    tool: {
      driver: { name: suite.name, semanticVersion: suite.version, rules: report.rules.map(descriptor) },
    },
    automationDetails: { id: `${suite.name}/${profile}/` },
    invocations: [
      {
        executionSuccessful: endedEarly === undefined,
        startTimeUtc: printable(startedAt),
        toolExecutionNotifications: notifications(report),
      },
    ],
    results,
  }
  return `${printableJson({ $schema: schema, version: '2.1.0', runs: [run] })}\n`
}
