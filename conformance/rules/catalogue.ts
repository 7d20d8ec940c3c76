import { shorten } from '../transcript/bounds.ts'
import { isInvalid, isPost } from '../transcript/creations.ts'
import { pages } from '../transcript/pages.ts'
import { errorWords, responses, unreadProblem } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { authJudges } from './auth.ts'
import { createJudges, invalidBodyJudges } from './create/create.ts'
import { afterwardsJudges } from './create/create-afterwards.ts'
import { returnedJudges } from './create/create-returned.ts'
import { errJudges } from './err.ts'
import { getJudges } from './get.ts'
import { broken, holds, nothingToJudge } from './judging.ts'
import { listJudges } from './list.ts'
import { filterJudges } from './list-filter.ts'
import { rateJudges } from './rate.ts'
import { burnJudges } from './rate-burn.ts'
import { useJudges } from './rate-use.ts'
import type { Finding, Judge, Rule } from './rule.ts'
import { type RuleId, ruleTable } from './rule-table.ts'
import { sectionOf } from './statements.ts'

const judges: Readonly<Record<RuleId, Judge>> = {
  'VER-1': judgeVersion,
  ...authJudges,
  ...errJudges,
  ...listJudges,
  ...filterJudges,
  ...getJudges,
  ...createJudges,
  ...returnedJudges,
  ...afterwardsJudges,
  ...invalidBodyJudges,
  ...rateJudges,
  ...useJudges,
  ...burnJudges,
}

const families = ['VER', 'AUTH', 'ERR', 'LIST', 'GET', 'CREATE', 'RATE']

/** Every rule of the suite, by family and number. */
export const catalogue: readonly Rule[] = ruleTable
  .flatMap(({ level, profile, rules }) =>
    Object.entries(rules).map(([id, [statement, title]]): Rule => {
      const judge = judges[id as RuleId] // the keys of the table are the ids
      return {
        id,
        level,
        section: sectionOf(statement),
        statement,
        title,
        profile,
        judge: (transcript) => explained(judge(transcript), transcript),
      }
    }),
  )
  .toSorted((a, b) => place(a) - place(b))

/** The place of a rule in the catalogue. */
function place({ id }: Rule): number {
  const [family = '', number] = id.split('-')
  return families.indexOf(family) * 100 + Number(number)
}

/** Section 9: the version of the interface is in the path. */
function judgeVersion(transcript: Transcript): Finding {
  const [page] = pages(transcript)
  if (page === undefined) return nothingToJudge(transcript, 'no operation was found under the base URL')
  const { pathname } = new URL(transcript.baseUrl)
  return pathname.split('/').includes('v1')
    ? holds(`listPets was found under ${pathname}`, page.id)
    : broken('a base URL with the segment v1 in its path', `listPets under ${pathname}`, page.id)
}

/** Adds to the reason of missing evidence what the deployment says of a valid body, or that a body could not be read. */
function explained(finding: Finding, transcript: Transcript): Finding {
  if (finding.outcome !== 'no-evidence') return finding
  const words = rejection(finding, transcript)
  if (words !== undefined) return { ...finding, reason: shorten(`${finding.reason}; ${words}`) }
  const unread = responses(transcript).filter(({ response }) => unreadProblem(response) !== undefined)
  const named = unread.filter(({ id }) => finding.exchanges.includes(id))
  const [first, ...others] = named.length > 0 ? named : unread
  if (first === undefined) return finding
  const more = others.length > 0 ? ` (and ${others.length} more were not read)` : ''
  return {
    ...finding,
    reason: `${finding.reason}; the body of ${first.id} ${unreadProblem(first.response)}${more}`,
  }
}

/** Quotes the 400 to a valid body that a finding is about, and says how to give a category that exists. */
function rejection({ reason, exchanges: [id] }: Finding, transcript: Transcript): string | undefined {
  const rejected = responses(transcript).find((recorded) => recorded.id === id)
  if (rejected === undefined || rejected.response.status !== 400) return undefined
  const { exchange, response } = rejected
  if (!isPost(exchange) || isInvalid(exchange.id) || exchange.credential !== 'key') return undefined
  const words = errorWords(response)
  const isNamed = transcript.categoryId !== undefined || reason.includes('--category-id')
  return [
    words === undefined ? 'the 400 gives no reason' : `the deployment says "${words}"`,
    ...(isNamed ? [] : ['if the category is at fault, name another one with --category-id']),
  ].join('; ')
}
