import { shorten } from '../transcript/bounds.ts'
import { creations, isInvalid, isPost, readSentName } from '../transcript/creations.ts'
import { isObject } from '../transcript/json.ts'
import { pages } from '../transcript/pages.ts'
import { findUnreadProblem, readErrorWords, readMember, responses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { authRules } from './auth.ts'
import { createRules, invalidBodyRules } from './create/create.ts'
import { afterwardsRules } from './create/create-afterwards.ts'
import { returnedRules } from './create/create-returned.ts'
import { errRules } from './err.ts'
import { getRules } from './get.ts'
import { broken, holds, nothingToJudge } from './judging.ts'
import { listRules } from './list.ts'
import { filterRules } from './list-filter.ts'
import { rateRules } from './rate.ts'
import { burnRules } from './rate-burn.ts'
import { useRules } from './rate-use.ts'
import { type Family, type Finding, type Judge, must, type Rule } from './rule.ts'
import { parseSection } from './statements.ts'

const version: Family = {
  'VER-1 s9-version': must.read(
    'the path of the base URL under which an operation was found has the segment `v1`',
    judgeVersion,
  ),
}

const families: readonly Family[] = [
  version,
  authRules,
  errRules,
  { ...listRules, ...filterRules },
  getRules,
  { ...createRules, ...returnedRules, ...afterwardsRules, ...invalidBodyRules },
  { ...rateRules, ...useRules, ...burnRules },
]

/** Every rule of the suite, by family and number. */
export const catalogue: readonly Rule[] = families.flatMap((family) =>
  Object.entries(family)
    .map(([name, rule]): Rule => {
      const [id = '', statement = ''] = name.split(' ')
      const judge: Judge = (transcript) => explained(rule.judge(transcript), transcript)
      return { ...rule, id, statement, section: parseSection(statement), judge }
    })
    .toSorted((a, b) => Number(a.id.split('-')[1]) - Number(b.id.split('-')[1])),
)

/** Section 9: the version of the interface is in the path. */
function judgeVersion(transcript: Transcript): Finding {
  const [page] = pages(transcript)
  if (page === undefined) return nothingToJudge(transcript, 'no operation was found under the base URL')
  const { pathname } = new URL(transcript.baseUrl)
  return pathname.split('/').includes('v1')
    ? holds(`listPets was found under ${pathname}`, page.id)
    : broken('a base URL with the segment v1 in its path', `listPets under ${pathname}`, page.id)
}

/**
 * Extends reasons. If evidence is missing, adds the deployment's response to a valid body, or that it was not readable.
 * If a rule is broken, adds that an accepted invalid body of this run caused it.
 */
function explained(finding: Finding, transcript: Transcript): Finding {
  if (finding.outcome === 'broken')
    return { ...finding, reason: shorten(finding.reason + ownBody(finding, transcript)) }
  if (finding.outcome !== 'no-evidence') return finding
  const words = rejection(finding, transcript)
  if (words !== undefined) return { ...finding, reason: shorten(`${finding.reason}; ${words}`) }
  const unread = responses(transcript).filter(({ response }) => findUnreadProblem(response) !== undefined)
  const named = unread.filter(({ id }) => finding.exchanges.includes(id))
  const [first, ...others] = named.length > 0 ? named : unread
  if (first === undefined) return finding
  const more = others.length > 0 ? ` (and ${others.length} more were not read)` : ''
  return {
    ...finding,
    reason: `${finding.reason}; the body of ${first.id} ${findUnreadProblem(first.response)}${more}`,
  }
}

/** Returns the end of the reason if the animal at fault comes from an invalid body that the deployment accepted. */
function ownBody({ at, exchanges: [id] }: Finding, transcript: Transcript): string {
  const index = at !== undefined && 'path' in at ? at.path[0] : undefined
  const page = pages(transcript).find((one) => one.id === id)
  const element = typeof index === 'number' ? page?.elements[index] : undefined
  if (!isObject(element)) return ''
  const [shownId, name] = [element.get('id'), element.get('name')]
  const own = creations(transcript).find(
    (creation) =>
      isInvalid(creation.id) &&
      (readMember(creation, 'id') === shownId ||
        (name !== undefined && readSentName(creation.exchange) === name)),
  )
  return own === undefined ? '' : `; this run added that animal: the invalid body of ${own.id} was accepted`
}

/** Quotes the 400 to a valid body that a finding is about, and says how to give a category that exists. */
function rejection({ reason, exchanges: [id] }: Finding, transcript: Transcript): string | undefined {
  const rejected = responses(transcript).find((recorded) => recorded.id === id)
  if (rejected === undefined || rejected.response.status !== 400) return undefined
  const { exchange, response } = rejected
  if (!isPost(exchange) || isInvalid(exchange.id) || exchange.credential !== 'key') return undefined
  const words = readErrorWords(response)
  const isNamed = transcript.categoryId !== undefined || reason.includes('--category-id')
  return [
    words === undefined ? 'the 400 gives no reason' : `the deployment says "${words}"`,
    ...(isNamed ? [] : ['if the category is at fault, name another one with --category-id']),
  ].join('; ')
}
