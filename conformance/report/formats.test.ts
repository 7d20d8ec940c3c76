import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge } from '../judge/judge.ts'
import { buildTranscript, scriptEach } from '../testing/recorded.ts'
import { createSample, createSampleWithText, getSampleRule, sample } from '../testing/sample.ts'
import { maxQuotedLength, maxShownLength } from '../transcript/bounds.ts'
import { formatGithub, formatJson, formatJunit, formats } from './formats.ts'
import { formatMarkdown } from './markdown.ts'
import { formatPretty, formatSummary } from './pretty.ts'
import type { Report } from './report.ts'

/** Matches workflow commands, except the ones that the `github` format writes. */
const commands = /^\s*::(?!(?:error|warning|notice) title=)/m
const hostileTexts = [
  '::add-mask::x',
  'x\n::stop-commands::y',
  '  ::debug::z',
  'word ::set-env name=a::b ::echo::on',
  '\u001b]0;x\u0007\u009b2J\u202e\ud800\ufffe\r\n::error::x ##[add-mask]y',
]
const control = /[\p{Cc}\p{Cf}\p{Cs}\ufffe]/u

describe('a conformance report', () => {
  for (const [name, format] of Object.entries(formats)) {
    it(`contains no commands or control characters as ${name}`, () => {
      for (const text of hostileTexts) {
        for (const columns of [20, 40, 80]) {
          const report = createSampleWithText(text)
          assert.doesNotMatch(format(report, { color: false, columns }), commands)
          assert.doesNotMatch(formatSummary(report, { color: false, columns }), commands)
          assert.doesNotMatch(format(report, { color: false }), /##\w*\[/)
          assert.doesNotMatch(format(report, { color: false }).replaceAll('\n', ''), control)
        }
      }
    })

    it(`is bounded in size as ${name}`, () => {
      const body = '<&>"\''.repeat(200_000)
      const stepIds = ['list', 'list-100', 'get-listed', 'create-sold', 'limit-word', 'burn-4', 'no-key-list']
      const hugeResponse = { body, headers: [['content-type', body.slice(0, 60_000)]] as const }
      const report = judge(buildTranscript('all', scriptEach(stepIds, hugeResponse)))
      assert.ok(report.rules.every(({ reason }) => reason.length <= maxQuotedLength))
      // Only the JSON format contains whole bodies.
      const maxBodyText = name === 'json' ? body.length : maxShownLength
      assert.ok(format(report, { color: false }).length < 8 * 6 * (maxBodyText + 60_000))
    })
  }

  it('is lossless as JSON', () => {
    assert.deepEqual(JSON.parse(formatJson(sample)), sample)
    assert.ok(formatJson(sample).endsWith('}\n'))
    const hostileSample = createSampleWithText('\u001b[2J\u009b31m\u202e\ud800\n::error::x')
    assert.deepEqual(JSON.parse(formatJson(hostileSample)), hostileSample)
  })

  it('shows notes in every format', () => {
    const message = 'one left its connection\u0007 unusable'
    const report: Report = { ...sample, notes: [{ kind: 'network', message, exchanges: ['one', 'two'] }] }
    for (const format of [...Object.values(formats), formatSummary]) {
      assert.match(format(report, { color: false }), /one left its connection.* unusable/)
      assert.ok(!format(report, { color: false }).includes('\u0007'))
    }
  })
})

describe('--format github', () => {
  const lines = formatGithub(sample).split('\n')

  it('puts failures before warnings and notices', () => {
    assert.deepEqual(
      lines.slice(0, 7).map((line) => /^::(\w+) title=(.*?)::/.exec(line)?.slice(1)),
      [
        ['error', '1 cause behind 1 failure'],
        ['error', 'RATE-6 (MUST%2C section 8)'],
        ['error', 'The run ended early'],
        ['error', 'LIST-1 no longer fails'],
        ['warning', 'AUTH-10 (HTTP%2C section 5)'],
        ['notice', 'LIST-4 (MUST%2C section 2)'],
        ['notice', 'Not judged (no evidence)'],
      ],
    )
  })

  it('lists the facts about each rule', () => {
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

  it('prints only the outcome if all rules hold', () => {
    assert.equal(
      formatGithub(createSample([getSampleRule('VER-1')])),
      'https://pets.test/v1: All judged requirements hold\n',
    )
  })

  it('escapes messages and properties', () => {
    const [, second = ''] = formatGithub(createSampleWithText('\r%0A,title=y::z')).split('\n')
    assert.match(second, /^::error title=[^:]+::/)
    assert.ok(second.includes('\\r%250A,title=y::z'))
  })
})

/**
 * Attributes and children that the JUnit schemas of Jenkins' xunit plugin (`junit-10.xsd`) and of Maven Surefire
 * (`surefire-test-report.xsd`) both allow.
 */
const junitElements: Readonly<Record<string, Readonly<Record<'must' | 'may' | 'children', string>>>> = {
  testsuite: {
    must: 'name tests failures errors skipped',
    may: 'time group',
    children: 'properties testcase',
  },
  properties: { must: '', may: '', children: 'property' },
  property: { must: 'name value', may: '', children: '' },
  testcase: {
    must: 'name time',
    may: 'classname group',
    children: 'failure skipped error system-out system-err',
  },
  failure: { must: 'type', may: 'message', children: '' },
  skipped: { must: '', may: 'message', children: '' },
  error: { must: 'type', may: 'message', children: '' },
  'system-out': { must: '', may: '', children: '' },
  'system-err': { must: '', may: '', children: '' },
}

/** Checks that JUnit XML is well-formed and allowed, and counts its elements. */
function checkJunit(xml: string): ReadonlyMap<string, number> {
  const openElements: { readonly name: string; readonly children: string[] }[] = [{ name: '', children: [] }]
  const counts = new Map<string, number>()
  const [declaration, ...rest] = xml.split('?>')
  assert.equal(declaration, '<?xml version="1.0" encoding="UTF-8"')
  const tag = /<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/gy
  const body = rest.join('?>')
  while (tag.lastIndex < body.length) {
    const match = tag.exec(body)
    assert.ok(match !== null, 'markup that is no tag')
    const [whole, closing, name = '', attributes = '', empty] = match
    assert.doesNotMatch(`${name === '' ? whole : attributes}`, /&(?!(amp|lt|gt|quot|#39);)/)
    if (name === '') continue
    if (closing === '/') {
      const element = openElements.pop()
      assert.equal(element?.name, name)
      const childOrder = junitElements[name]?.children.split(' ') ?? []
      const childPositions = element?.children.map((child) => childOrder.indexOf(child)) ?? []
      assert.ok(!childPositions.includes(-1), `${name} has ${element?.children}`)
      assert.deepEqual(childPositions, childPositions.toSorted())
      continue
    }
    counts.set(name, (counts.get(name) ?? 0) + 1)
    openElements.at(-1)?.children.push(name)
    const { must = '', may = '' } = junitElements[name] ?? {}
    const names = [...attributes.matchAll(/ ([a-z]+)="/g)].map(([, attribute = '']) => attribute)
    for (const attribute of must.split(' ').filter(Boolean)) assert.ok(names.includes(attribute), whole)
    for (const attribute of names) assert.ok(`${must} ${may}`.split(' ').includes(attribute), whole)
    if (empty === '') openElements.push({ name, children: [] })
  }
  assert.deepEqual(openElements, [{ name: '', children: ['testsuite'] }])
  return counts
}

describe('--format junit', () => {
  const junitText = formatJunit(sample)
  const testcase = (start: string): string =>
    new RegExp(`<testcase classname="[^"]*" name="${start}[^>]*>([\\s\\S]*?)</testcase>`).exec(
      junitText,
    )?.[1] ?? 'none'

  it('is valid, with correct totals', () => {
    const counts = checkJunit(junitText)
    const root = /<testsuite [^>]*>/.exec(junitText)?.[0] ?? ''
    assert.match(root, /tests="11" failures="2" errors="1" skipped="5" time="0.840"/)
    assert.deepEqual(
      ['testcase', 'failure', 'error', 'skipped', 'system-out'].map((name) => counts.get(name)),
      [11, 2, 1, 5, 1],
    )
  })

  it('describes a failure', () => {
    const facts = testcase('RATE-6')
    assert.match(
      facts,
      /^<failure type="MUST" message="GET \/pets \(list\) has X-RateLimit-Reset: 60, [^"]+">cause: X-RateLimit-Reset/,
    )
    assert.match(
      facts,
      /\nresponse: 200 OK, application\/json\nheader: x-ratelimit-reset: 60\nbody: \[\{&quot;id/,
    )
  })

  it('skips rules without a verdict, and known failures', () => {
    assert.match(testcase('AUTH-10'), /^<system-out>warning\nexpected: a Bearer challenge/)
    assert.equal(testcase('VER-1'), '')
    assert.match(testcase('LIST-14'), /^<skipped message="inconclusive: /)
    assert.match(testcase('GET-7'), /^<skipped message="not-applicable: /)
    assert.match(testcase('AUTH-12'), /^<skipped message="not-run: /)
    assert.match(testcase('LIST-4'), /^<skipped message="known failure \(old rows, migrated in May\): /)
  })

  it('has test cases for problems with the run', () => {
    assert.match(testcase('The run ended early'), /^<error type="run" message="ended by a 429/)
    assert.match(testcase('LIST-1 no longer fails'), /^<failure type="run" message="remove LIST-1/)
    assert.doesNotMatch(formatJunit(createSample([getSampleRule('VER-1')])), /The run/)
  })

  it('escapes hostile text', () => {
    const hostileText = '</testcase>"\'&<!--]]>\u0000\u001b\ufffe\ud800\n::error::x'
    checkJunit(formatJunit(createSampleWithText(hostileText)))
  })
})

describe('--format markdown', () => {
  it('has the same text as the terminal', () => {
    const plainStyle = { color: false, columns: 100 }
    const [head = '', ...parts] = formatMarkdown(sample).split('\n## ')
    assert.match(head, /^# Pet adoption service: conformance report\n/)
    assert.ok(head.includes(formatSummary(sample, plainStyle)))
    const codeBlockTexts = parts.map((part) => part.replace(/\n\n`{3}text\n/, '\n').split('\n```')[0])
    assert.ok(formatPretty(sample, plainStyle).includes(`\n\n${codeBlockTexts.join('\n\n')}\n\n`))
  })

  it('keeps hostile text inside code blocks', () => {
    const hostileMarkdown = formatMarkdown(
      createSampleWithText('<img src=x> [a](http://evil.example) ```` **d** | f\n# g'),
    )
    const textOutsideFences = hostileMarkdown.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '')
    assert.match(hostileMarkdown, /evil/)
    assert.doesNotMatch(textOutsideFences, /evil|img|`|\*\*|^# g/m)
  })
})
