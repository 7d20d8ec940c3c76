import { shorten } from '../transcript/bounds.ts'
import { isCreatePet, isInvalidStep, listCreations, readSentName } from '../transcript/creations.ts'
import { isObject } from '../transcript/json.ts'
import { parsePages } from '../transcript/pages.ts'
import {
  findReadProblem,
  findResponse,
  listResponses,
  readErrorText,
  readMember,
} from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { authRules } from './auth.ts'
import { createRules, invalidBodyRules } from './create/create.ts'
import { afterwardsRules } from './create/create-afterwards.ts'
import { returnedRules } from './create/create-returned.ts'
import { parallelRules as createTogetherRules } from './create/create-together.ts'
import { errRules } from './err.ts'
import { getRules } from './get.ts'
import { broken, explainMissingEvidence, holds } from './judging.ts'
import { listRules } from './list.ts'
import { filterRules } from './list-filter.ts'
import { rateRules } from './rate.ts'
import { burnRules } from './rate-burn.ts'
import { parallelRules } from './rate-together.ts'
import { useRules } from './rate-use.ts'
import { type Finding, type Judge, must, type Rule, type RuleFamily } from './rule.ts'
import { parseSection } from './statements.ts'

const versionRules: RuleFamily = {
  'VER-1 s9-version': must.read(
    'the base URL under which an operation was found has the path segment `v1`',
    judgeVersion,
  ),
}

const families: readonly RuleFamily[] = [
  versionRules,
  authRules,
  errRules,
  { ...listRules, ...filterRules },
  getRules,
  { ...createRules, ...returnedRules, ...afterwardsRules, ...createTogetherRules, ...invalidBodyRules },
  { ...rateRules, ...useRules, ...burnRules, ...parallelRules },
]

/** Every rule of the suite, by family and number. */
export const catalogue: readonly Rule[] = families.flatMap((family) =>
  Object.entries(family)
    .map(([name, rule]): Rule => {
      const [id = '', statement = ''] = name.split(' ')
      const judge: Judge = (transcript) => explainFinding(rule.judge(transcript), transcript)
      return { ...rule, id, statement, section: parseSection(statement), judge }
    })
    .toSorted((a, b) => Number(a.id.split('-')[1]) - Number(b.id.split('-')[1])),
)

function judgeVersion(transcript: Transcript): Finding {
  const [page] = parsePages(transcript)
  if (page === undefined)
    return explainMissingEvidence(transcript, 'no operation of the interface was found under the base URL')
  const { pathname } = new URL(transcript.target.baseUrl)
  return pathname.split('/').includes('v1')
    ? holds(`listPets was found under ${pathname}`, page.id)
    : broken('a base URL with the path segment v1', `listPets under ${pathname}`, page.id)
}

/**
 * Completes a finding's reason: with the server's words after a rejection, or with the name of a response that could
 * not be read.
 */
function explainFinding(finding: Finding, transcript: Transcript): Finding {
  if (finding.outcome === 'broken')
    return { ...finding, reason: shorten(finding.reason + describeAcceptedBody(finding, transcript)) }
  if (finding.outcome !== 'no-evidence') return finding
  const rejectionQuote = quoteRejection(finding, transcript)
  if (rejectionQuote !== undefined)
    return { ...finding, reason: shorten(`${finding.reason}; ${rejectionQuote}`) }
  const unreadResponses = listResponses(transcript).filter(
    ({ response }) => findReadProblem(response) !== undefined,
  )
  const citedResponses = unreadResponses.filter(({ id }) => finding.exchanges.includes(id))
  const [first, ...others] = citedResponses.length > 0 ? citedResponses : unreadResponses
  if (first === undefined) return finding
  const otherResponsesNote = others.length > 0 ? ` (and ${others.length} more could not be read)` : ''
  return {
    ...finding,
    reason: `${finding.reason}; the body of ${first.id} ${findReadProblem(first.response)}${otherResponsesNote}`,
  }
}

/** Explains that this run created the invalid animal on a page, because the server accepted an invalid body. */
function describeAcceptedBody({ at, exchanges: [id] }: Finding, transcript: Transcript): string {
  const index = at !== undefined && 'path' in at ? at.path[0] : undefined
  const page = parsePages(transcript).find((one) => one.id === id)
  const element = typeof index === 'number' ? page?.elements[index] : undefined
  if (!isObject(element)) return ''
  const [shownId, name] = [element.get('id'), element.get('name')]
  const sameCreation = listCreations(transcript).find(
    (creation) =>
      isInvalidStep(creation.id) &&
      (readMember(creation, 'id') === shownId ||
        (name !== undefined && readSentName(creation.exchange) === name)),
  )
  return sameCreation === undefined
    ? ''
    : `; this run created that animal: the server accepted the invalid body from ${sameCreation.id}`
}

/** Quotes the server's 400 to a valid body. Suggests `--category-id` if the category may be the cause. */
function quoteRejection({ reason, exchanges: [id] }: Finding, transcript: Transcript): string | undefined {
  const rejectedResponse = id === undefined ? undefined : findResponse(transcript, id)
  if (rejectedResponse?.response.status !== 400) return undefined
  const { exchange, response } = rejectedResponse
  if (!isCreatePet(exchange) || isInvalidStep(exchange.id) || exchange.credential !== 'key') return undefined
  const errorText = readErrorText(response)
  const isNamed = transcript.categoryId !== undefined || reason.includes('--category-id')
  return [
    errorText === undefined ? 'the 400 has no error message' : `the deployment says "${errorText}"`,
    ...(isNamed ? [] : ['if the category is the cause, use --category-id to name another one']),
  ].join('; ')
}
