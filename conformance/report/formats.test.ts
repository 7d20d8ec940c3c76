import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge } from '../judge/judge.ts'
import { each, recorded } from '../testing/recorded.ts'
import { sample, sampleHolding, sampleRule, sampleWith } from '../testing/sample.ts'
import { mostQuoted, mostShown } from '../transcript/bounds.ts'
import { formats, github, json, junit } from './formats.ts'
import { markdown } from './markdown.ts'
import { formatSummary, pretty } from './pretty.ts'
import type { Report } from './report.ts'

/** Lines that GitHub Actions executes: `::name`, also after white space. The GitHub format writes three of these. */
const commands = /^\s*::(?!(?:error|warning|notice) title=)/m
const texts = [
  '::add-mask::x',
  'x\n::stop-commands::y',
  '  ::debug::z',
  'word ::set-env name=a::b ::echo::on',
  '\u001b]0;x\u0007\u009b2J\u202e\ud800\ufffe\r\n::error::x ##[add-mask]y',
]
/** Characters that a terminal acts on, or that are invalid in XML. */
const control = /[\p{Cc}\p{Cf}\p{Cs}\ufffe]/u

describe('every format', () => {
  for (const [name, format] of Object.entries(formats)) {
    it(`turns no text of a deployment into a command: ${name}`, () => {
      for (const text of texts) {
        for (const columns of [20, 40, 80]) {
          const report = sampleHolding(text)
          assert.doesNotMatch(format(report, { color: false, columns }), commands)
          assert.doesNotMatch(formatSummary(report, { color: false, columns }), commands)
          assert.doesNotMatch(format(report, { color: false }), /##\w*\[/)
          assert.doesNotMatch(format(report, { color: false }).replaceAll('\n', ''), control)
        }
      }
    })

    it(`has a few megabytes for large bodies: ${name}`, () => {
      const body = '<&>"\''.repeat(200_000)
      const ids = ['list', 'list-100', 'get-listed', 'create-sold', 'limit-word', 'burn-4', 'no-key-list']
      const huge = { body, headers: [['content-type', body.slice(0, 60_000)]] as const }
      const report = judge(recorded('all', each(ids, huge)))
      assert.ok(report.exchanges.every(({ response }) => (response?.body.length ?? 0) <= mostShown))
      assert.ok(report.rules.every(({ reason }) => reason.length <= mostQuoted))
      assert.ok(format(report, { color: false }).length < 8 * 6 * (mostShown + 60_000))
    })
  }

  it('encodes the report and hostile text exactly in JSON', () => {
    assert.deepEqual(JSON.parse(json(sample)), sample)
    assert.ok(json(sample).endsWith('}\n'))
    const hostile = sampleHolding('\u001b[2J\u009b31m\u202e\ud800\n::error::x')
    assert.deepEqual(JSON.parse(json(hostile)), hostile)
  })

  it('has the notes on the run, like the summary of the terminal', () => {
    const message = 'one left its connection\u0007 unusable'
    const report: Report = { ...sample, notes: [{ kind: 'connection', message, exchanges: ['one', 'two'] }] }
    for (const format of [...Object.values(formats), formatSummary]) {
      assert.match(format(report, { color: false }), /one left its connection.* unusable/)
      assert.ok(!format(report, { color: false }).includes('\u0007'))
    }
  })
})

describe('github', () => {
  const lines = github(sample).split('\n')

  it('annotates failures, warnings and notices', () => {
    assert.deepEqual(
      lines.slice(0, 7).map((line) => /^::(\w+) title=(.*?)::/.exec(line)?.slice(1)),
      [
        ['error', '1 cause behind 1 failure'],
        ['error', 'RATE-6 (MUST%2C section 8)'],
        ['error', 'The run ended early'],
        ['error', 'LIST-1 no longer fails'],
        ['warning', 'AUTH-10 (HTTP%2C section 5)'],
        ['notice', 'LIST-4 (MUST%2C section 2)'],
        ['notice', 'Not judged for lack of evidence'],
      ],
    )
  })

  it('has a line for each fact, the cause first', () => {
    const facts = (line = ''): readonly string[] => line.split('%0A').map((text) => text.split(': ')[0] ?? '')
    assert.deepEqual(
      facts(lines[4]).slice(1),
      'expected,got,at,response,header,body,statement,exchanges,again'.split(','),
    )
    assert.equal(facts(lines[1])[1], 'cause')
    assert.match(
      lines[0] ?? '',
      /::1\. X-RateLimit-Reset: .*%0Asend the time .* \(explains RATE-6, LIST-14\)$/,
    )
  })

  it('is only the outcome if every rule passes', () => {
    assert.equal(
      github(sampleWith([sampleRule('VER-1')])),
      'https://pets.test/v1: Every requirement that was judged holds\n',
    )
  })

  it('lets no text of a deployment end a property of a command', () => {
    const [, second = ''] = github(sampleHolding('\r%0A,title=y::z')).split('\n')
    assert.match(second, /^::error title=[^:]+::/)
    assert.ok(second.includes('\\r%250A,title=y::z'))
  })
})

/** Checks that tags are closed in order and that text holds nothing but entities; returns how often each tag opens. */
function wellFormed(xml: string): ReadonlyMap<string, number> {
  const opened: string[] = []
  const counts = new Map<string, number>()
  const [declaration, ...rest] = xml.split('?>')
  assert.equal(declaration, '<?xml version="1.0" encoding="UTF-8"')
  const tag = /<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/gy
  const body = rest.join('?>')
  while (tag.lastIndex < body.length) {
    const match = tag.exec(body)
    assert.ok(match !== null, 'markup that is no tag')
    const [whole, closing, name = '', attributes, empty] = match
    assert.doesNotMatch(`${name === '' ? whole : attributes}`, /&(?!(amp|lt|gt|quot|#39);)/)
    if (name === '') continue
    if (closing === '/') assert.equal(opened.pop(), name)
    else counts.set(name, (counts.get(name) ?? 0) + 1)
    if (closing === '' && empty === '') opened.push(name)
  }
  assert.deepEqual(opened, [])
  return counts
}

describe('junit', () => {
  const text = junit(sample)
  const testcase = (start: string): string =>
    new RegExp(`<testcase classname="[^"]*" name="${start}[^>]*>([\\s\\S]*?)</testcase>`).exec(text)?.[1] ??
    'none'

  it('is well-formed XML with correct counts', () => {
    const counts = wellFormed(text)
    const root = /<testsuites [^>]*>/.exec(text)?.[0] ?? ''
    assert.match(root, /tests="11" failures="2" errors="1" skipped="5" time="0.830"/)
    assert.deepEqual(
      ['testcase', 'failure', 'error', 'skipped', 'system-out'].map((name) => counts.get(name)),
      [11, 2, 1, 5, 1],
    )
  })

  it('has the facts of the rule in a failure', () => {
    const facts = testcase('RATE-6')
    assert.match(
      facts,
      /^<failure type="MUST" message="GET \/pets \(list\) has 60, [^"]+">cause: X-RateLimit-Reset/,
    )
    assert.match(
      facts,
      /\nresponse: 200 OK, application\/json\nheader: x-ratelimit-reset: 60\nbody: \[\{&quot;id/,
    )
  })

  it('passes warnings, and skips undecided or known failures', () => {
    assert.match(testcase('AUTH-10'), /^<system-out>warning\nexpected: a Bearer challenge/)
    assert.equal(testcase('VER-1'), '')
    assert.match(testcase('LIST-14'), /^<skipped message="inconclusive: /)
    assert.match(testcase('GET-7'), /^<skipped message="not-applicable: /)
    assert.match(testcase('AUTH-12'), /^<skipped message="not-run: /)
    assert.match(testcase('LIST-4'), /^<skipped message="known failure \(old rows, migrated in May\): /)
  })

  it('reports an early end and known failures that pass', () => {
    assert.match(testcase('The run ended early'), /^<error message="ended by a 429/)
    assert.match(testcase('LIST-1 no longer fails'), /^<failure message="remove LIST-1/)
    assert.doesNotMatch(junit(sampleWith([sampleRule('VER-1')])), /The run/)
  })

  it('is well-formed XML for hostile text', () => {
    const hostile = '</testcase>"\'&<!--]]>\u0000\u001b\ufffe\ud800\n::error::x'
    wellFormed(junit(sampleHolding(hostile)))
  })
})

describe('markdown', () => {
  it('has the parts of the terminal, each in a code block', () => {
    const style = { color: false, columns: 100 }
    const [head = '', ...parts] = markdown(sample).split('\n## ')
    assert.match(head, /^# Pet adoption service: conformance report\n/)
    assert.ok(head.includes(formatSummary(sample, style)))
    const texts = parts.map((part) => part.replace(/\n\n`{3}text\n/, '\n').split('\n```')[0])
    assert.ok(pretty(sample, style).includes(`\n\n${texts.join('\n\n')}\n\n`))
  })

  it('uses fences that are longer than the backticks in a text', () => {
    const held = markdown(sampleHolding('<img src=x> [a](http://evil.example) ```` **d** | f\n# g'))
    const outside = held.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '')
    assert.match(held, /evil/)
    assert.doesNotMatch(outside, /evil|img|`|\*\*|^# g/m)
  })
})
