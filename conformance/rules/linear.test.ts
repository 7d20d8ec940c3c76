import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge } from '../judge/judge.ts'
import type { Report } from '../report/report.ts'
import { buildTranscript, createHeaders, judgeRule, pageStepIds, scriptEach } from '../testing/recorded.ts'

const pets = (count: number, id: (n: number) => string): string =>
  `[${Array.from({ length: count }, (_, n) => `{"id":${id(n)},"name":"a","categoryId":1}`).join()}]`

const judgePages = (body: string): Report => judge(buildTranscript('read', scriptEach(pageStepIds, { body })))

describe('a large response', () => {
  it('is judged even if all 20,000 animals are invalid', () => {
    const { rules } = judgePages(pets(20_000, (n) => `"${n}"`))
    assert.equal(rules.find(({ id }) => id === 'LIST-4')?.verdict, 'fail')
    assert.match(rules.find(({ id }) => id === 'LIST-6')?.reason ?? '', /has 20000 animals/)
  })

  it('is searched for duplicate IDs among 20,000 animals', () => {
    const { rules } = judgePages(pets(20_000, (n) => String(n === 19_999 ? 7 : n)))
    assert.match(rules.find(({ id }) => id === 'LIST-18')?.reason ?? '', /the id 7 more than once/)
    assert.ok(rules.every(({ exchanges }) => exchanges.length <= pageStepIds.length + 40))
  })

  it('is judged with a Link header that has 3000 relations', () => {
    const longLinkHeader = `</x>; rel="${'next '.repeat(3000)}`
    assert.equal(
      judgeRule('LIST-7', 'read', { list: { headers: createHeaders({ link: longLinkHeader }) } }).outcome,
      'holds',
    )
  })

  it('is quoted in at most 400 characters', () => {
    const longContentType = `text/${'x'.repeat(60_000)}`
    const { reason, got } = judgeRule('LIST-2', 'read', {
      list: { headers: createHeaders({ 'content-type': longContentType }) },
    })
    assert.ok(reason.length <= 400 && (got?.length ?? 0) <= 400)
  })
})
