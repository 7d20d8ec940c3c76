import { catalogue, type Plan, type PlannedExchange } from '../index.ts'
import { wrapText } from '../report/pretty.ts'
import { maxTotalWaitMs } from '../run/pace.ts'
import { suite } from '../suite.ts'
import { pluralize, toPrintable, toPrintableJson } from '../transcript/printable.ts'
import { ratePlans } from '../transcript/rate-plans.ts'
import { type FlagName, flagNames, flags } from './flags.ts'

export const formatJudgeHelp = (
  program: string,
): string => `Judges a saved JSON report again, without sending requests.

  ${program} judge REPORT.json [flags]

Flags:
${formatFlags(flagNames.judge)}

Exit codes:
${exitCodes}`

const helpIndent = 27
const helpColumns = 80

const formatFlags = (names: readonly FlagName[]): string =>
  names
    .map((name) => {
      const { value, help } = flags[name]
      const flag = `  --${name}${value === undefined ? '' : ` ${value}`}`
      // A flag that is too long for its column gets a separate line.
      const flagColumn =
        flag.length < helpIndent ? flag.padEnd(helpIndent) : `${flag}\n${' '.repeat(helpIndent)}`
      return flagColumn + wrapText(help, helpIndent, helpColumns)
    })
    .join('\n')

const exitCodes = `  0   all selected requirements hold or do not apply
  1   a requirement is broken, or a known failure no longer fails
  2   the command line or a file is wrong; nothing was sent
  3   something could not be judged: no response, rejected key, early end or no evidence
  70  internal error, or a report could not be written
`

/**
 * Returns the command that started the program. The path of `script` shows whether Deno runs it from an npm package.
 */
export function formatProgramName(
  script: string,
  versions: NodeJS.ProcessVersions = process.versions,
): string {
  const isPackageOfDeno = versions.deno !== undefined && /[\\/](?:npm|\.deno)[\\/]/.test(script)
  return isPackageOfDeno ? `deno run -A npm:pet-adoption-service/${suite.name}` : suite.name
}

export const formatHelp = (
  program: string,
): string => `Tests a deployment of the pet adoption service against its interface.

  ${program} BASE-URL [flags]               tests a deployment
  ${program} judge REPORT.json [flags]      judges a saved report again
  ${program} --list                         lists all rules

Flags for a run:
${formatFlags(flagNames.run)}

Flags for a run and for judge:
${formatFlags(flagNames.judge)}

Environment:
  PET_ADOPTION_API_KEY        API key, if --api-key is not given
  PET_ADOPTION_THROTTLE_KEY   throttle key, if --throttle-key is not given
  HTTPS_PROXY, HTTP_PROXY     proxy for https and http URLs: http://USER:PASSWORD@HOST:PORT
  NO_PROXY                    hosts to reach without a proxy: domains, addresses, networks or *
  NO_COLOR, FORCE_COLOR       disable or force colors (default: colors on terminals only)
  GITHUB_STEP_SUMMARY         file that --format github appends a Markdown report to

Exit codes:
${exitCodes}  130 interrupted (Ctrl-C); 143 terminated by SIGTERM
`

function formatPlannedExchange(
  { method, target, credential, body, times, when, group }: PlannedExchange,
  index: number,
): string {
  const notes = [group && 'in parallel', times > 1 && `sent up to ${times} times`, when].filter(Boolean)
  const request = `${method.padEnd(4)} ${toPrintable(target)}`.padEnd(40)
  const requestLine = `${String(index + 1).padStart(4)}  ${request}  ${[credential, ...notes].join(', ')}`
  return body === undefined ? requestLine : `${requestLine}\n${' '.repeat(11)}${toPrintable(body)}`
}

const formatPercent = (share: number): string => `${Math.round(share * 1000) / 10} %`

/**
 * Describes what a run costs: requests per key, their share in the Free plan's limits (section 8), time and created
 * animals.
 */
export function describeCost(plan: Plan): readonly string[] {
  const { requests, keyed, throttled, creations, pace } = plan
  const [freeMinute, freeDay] = ratePlans.free
  return [
    `At most ${pluralize(requests, 'request')}, ${keyed} with the API key. That is ${formatPercent(keyed / freeMinute)} of the Free plan's limit per minute (${freeMinute}) and ${formatPercent(keyed / freeDay)} of its limit per day (${freeDay.toLocaleString('en')}).`,
    ...(throttled > 0
      ? [`At most ${pluralize(throttled, 'request')} with the throttle key, until its limit is exhausted.`]
      : []),
    `The run waits for rate limits for at most ${maxTotalWaitMs / 1000} s.`,
    ...(pace === undefined
      ? []
      : [`At ${pace} requests per second, the run takes up to ${Math.ceil(requests / pace)} s.`]),
    creations.most === 0
      ? 'No animals are created, as only GET requests are sent.'
      : `At most ${pluralize(creations.most, 'animal')} are created: ${creations.validBodies} from valid bodies, and ${creations.most - creations.validBodies} if the server accepts invalid ones.`,
  ]
}

export type ListingFormat = 'pretty' | 'json'

/** Formats the requests that a run would send. */
export function formatDryRun(baseUrl: string, plan: Plan, format: ListingFormat): string {
  if (format === 'json') return `${toPrintableJson({ target: { baseUrl }, ...plan })}\n`
  return [
    `Profile ${plan.profile} would send these requests to ${baseUrl}:`,
    '',
    ...plan.exchanges.map(formatPlannedExchange),
    '',
    ...describeCost(plan),
    'No request was sent.',
    '',
  ].join('\n')
}

export function formatRuleList(format: ListingFormat): string {
  if (format === 'json') return `${toPrintableJson(catalogue.map(({ judge: _, ...facts }) => facts))}\n`
  const lines = catalogue.map(({ id, level, section, profile, title }) =>
    [id.padEnd(9), level.padEnd(6), section.padEnd(4), profile.padEnd(7), title].join('  '),
  )
  return `${lines.join('\n')}\n`
}
