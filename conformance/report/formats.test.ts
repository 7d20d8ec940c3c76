import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { judge } from '../judge/judge.ts'
import { recorded } from '../testing/recorded.ts'
import { sample, sampleHolding, sampleRule, sampleWith } from '../testing/sample.ts'
import { mostQuoted, mostShown } from '../transcript/bounds.ts'
import { formats, github, json, junit } from './formats.ts'
import { markdown } from './markdown.ts'
import { pretty, prettySummary } from './pretty.ts'
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
/** Characters on which a terminal acts, or that are invalid in XML. */
const control = /[\p{Cc}\p{Cf}\p{Cs}\ufffe]/u

for (const [name, format] of Object.entries(formats)) {
  test(`in the format ${name} no text of a deployment is a command of a terminal or of a build server`, () => {
    for (const text of texts) {
      for (const columns of [20, 40, 80]) {
        const report = sampleHolding(text)
        assert.doesNotMatch(format(report, { color: false, columns }), commands)
        assert.doesNotMatch(prettySummary(report, { color: false, columns }), commands)
        assert.doesNotMatch(format(report, { color: false }), /##\w*\[/)
        assert.doesNotMatch(format(report, { color: false }).replaceAll('\n', ''), control)
      }
    }
  })

  test(`in the format ${name} the report of a run with bodies of 1 MiB has a few megabytes`, () => {
    const body = '<&>"\''.repeat(200_000)
    const ids = [
      'list',
      'list-100',
      'list-sold',
      'get-listed',
      'create-sold',
      'limit-word',
      'burn-4',
      'no-key-list',
    ]
    const huge = { body, headers: [['content-type', body.slice(0, 60_000)]] as const }
    const report = judge(recorded('all', Object.fromEntries(ids.map((id) => [id, huge]))))
    assert.ok(report.exchanges.every(({ response }) => (response?.body.length ?? 0) <= mostShown))
    assert.ok(report.rules.every(({ reason }) => reason.length <= mostQuoted))
    assert.ok(format(report, { color: false }).length < 8 * 6 * (mostShown + 60_000))
  })
}

test('a JSON report is the report and a line feed, and encodes hostile text exactly', () => {
  assert.deepEqual(JSON.parse(json(sample)), sample)
  assert.ok(json(sample).endsWith('}\n'))
  const hostile = sampleHolding('\u001b[2J\u009b31m\u202e\ud800\n::error::x')
  assert.deepEqual(JSON.parse(json(hostile)), hostile)
})

const report: Report = {
  ...sample,
  notes: [
    { kind: 'connection', message: 'one left its connection\u0007 unusable', exchanges: ['one', 'two'] },
  ],
}

for (const [name, format] of Object.entries(formats)) {
  test(`the format ${name} has the notes on the run`, () => {
    assert.match(format(report, { color: false }), /one left its connection.* unusable/)
    assert.ok(!format(report, { color: false }).includes('\u0007'))
  })
}

test('the summary of the terminal has the notes on the run', () => {
  assert.match(prettySummary(report, { color: false }), /^Note: one left its connection/m)
})

describe('github', () => {
  const lines = github(sample).split('\n')

  it('a GitHub report annotates failures and problems of the run as errors, warnings as warnings, the rest as notices', () => {
    assert.deepEqual(
      lines.slice(0, 7).map((line) => /^::(\w+) title=(.*?)::/.exec(line)?.slice(1)),
      [
        ['error', '1 cause behind 1 failure'],
        ['error', 'LIST-10 (MUST%2C section 4.1)'],
        ['error', 'The run ended early'],
        ['error', 'LIST-1 no longer fails'],
        ['warning', 'AUTH-10 (HTTP%2C section 5)'],
        ['notice', 'LIST-4 (MUST%2C section 4.1)'],
        ['notice', 'Not judged for lack of evidence'],
      ],
    )
  })

  it('a GitHub annotation has one line for each fact', () => {
    assert.equal(
      lines[4],
      '::warning title=AUTH-10 (HTTP%2C section 5)::a 401 carries `WWW-Authenticate: Bearer`' +
        '%0Aexpected: WWW-Authenticate: Bearer%0Agot: no such header%0Aat: the header www-authenticate' +
        '%0Aresponse: 401 Unauthorized, no content type%0Aheader: www-authenticate: Basic' +
        '%0Abody: {"code":"missing_api_key"}%0Astatement: HTTP: a 401 carries `WWW-Authenticate: Bearer` (RFC 9110, section 11.6.1; RFC 6750, section 3). (interface.md#s5-challenge)' +
        "%0Aexchanges: no-key%0Aagain: curl -i 'https://staging.example.org/v1/pets'",
    )
  })

  it('the first GitHub annotation has the causes, and each annotation of a rule names its cause', () => {
    assert.equal(
      lines[0],
      '::error title=1 cause behind 1 failure::1. The parameter limit is ignored: limit=101 returns 101 animals' +
        '%0Areturn at most so many animals as limit asks for (explains LIST-10, LIST-12)',
    )
    assert.match(lines[1] ?? '', /%0Acause: The parameter limit is ignored: /)
    assert.doesNotMatch(lines[4] ?? '', /cause:/)
  })

  it('a GitHub report of a run in which every rule passes is only the outcome', () => {
    assert.equal(
      github(sampleWith([sampleRule('VER-1')])),
      'https://staging.example.org/v1: Every requirement that was judged holds\n',
    )
  })

  it('no text of a deployment becomes a GitHub command or ends one of its properties', () => {
    const hostile = '\n::add-mask::x\r%0A,title=y::z ##[group]'
    const commands = github(sampleHolding(hostile))
      .split('\n')
      .filter((line) => line !== '')
    assert.equal(commands.length, lines.length - 1)
    for (const line of commands) assert.match(line, /^(::(error|warning|notice) title=[^:]+::|https:)/)
    assert.ok(commands[1]?.includes('\\n::add-mask::x\\r%250A,title=y::z #\\u0023[group]'))
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

  it('a JUnit report is well-formed XML, and its counts are correct', () => {
    const counts = wellFormed(text)
    const root = /<testsuites [^>]*>/.exec(text)?.[0] ?? ''
    assert.match(root, /tests="11" failures="2" errors="1" skipped="5" time="0.812"/)
    assert.deepEqual(
      ['testcase', 'failure', 'error', 'skipped', 'system-out'].map((name) => counts.get(name)),
      [11, 2, 1, 5, 1],
    )
  })

  it('a JUnit failure has what was expected, what was received and the command', () => {
    assert.match(testcase('LIST-10'), /^<failure type="MUST" message="a page has 101 animals">/)
    assert.match(testcase('LIST-10'), />cause: The parameter limit is ignored: /)
    assert.match(testcase('LIST-10'), /expected: at most 100 animals, or a 4xx\ngot: 200 with 101 animals\n/)
  })

  it('a JUnit failure has the status line, the content type and the body', () => {
    const text = testcase('LIST-10').replaceAll('&quot;', '"')
    assert.match(
      text,
      /\nresponse: 200 OK, application\/json; charset=utf-8\nbody: …\{"id":100\},\{"id":101\}\]\n/,
    )
  })

  it('a JUnit report passes warnings with their text, and skips undecided rules and known failures', () => {
    assert.match(testcase('AUTH-10'), /^<system-out>warning\nexpected: WWW-Authenticate: Bearer\n/)
    assert.equal(testcase('VER-1'), '')
    assert.match(testcase('LIST-12'), /^<skipped message="inconclusive: /)
    assert.match(testcase('GET-7'), /^<skipped message="not-applicable: /)
    assert.match(testcase('CREATE-1'), /^<skipped message="not-run: /)
    assert.match(testcase('LIST-4'), /^<skipped message="known failure \(old rows, migrated in May\): /)
  })

  it('a JUnit report has an error for an early end, and a failure for a known failure that passes', () => {
    assert.match(testcase('The run ended early'), /^<error message="ended by a 429/)
    assert.match(testcase('LIST-1 no longer fails'), /^<failure message="remove LIST-1/)
    assert.doesNotMatch(junit(sampleWith([sampleRule('VER-1')])), /The run/)
  })

  it('a JUnit report of hostile text is well-formed XML', () => {
    const hostile = '</testcase>"\'&<!--]]>\u0000\u001b\ufffe\ud800\n::error::x'
    const held = junit(sampleHolding(hostile))
    wellFormed(held)
  })
})

describe('markdown', () => {
  const text = markdown(sample)
  const part = (heading: string): string =>
    text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? 'none'

  it('a Markdown report begins with the outcome, the deployment and the problems of the run', () => {
    assert.deepEqual(text.split('\n\n').slice(0, 5), [
      '# Pet adoption service: conformance report',
      '**1 cause behind 1 failure: LIST-10**',
      '`https://staging.example.org/v1`',
      '> **The run ended early:** ended by a 429; wait 30 s and run it again',
      '> **LIST-1 no longer fails:** remove LIST-1 from the known failures (its reason there: was down in April)',
    ])
  })

  it('a Markdown report has a table of counts', () => {
    assert.match(text, /\| 2 \| 1 \| 1 \| 2 \| 1 \| 2 \|/)
  })

  it('a Markdown report has the causes and the broken rules as a terminal shows them, in a block of code', () => {
    const [, block = ''] = /\n`{3}text\n([\s\S]*?)\n`{3}\n/.exec(part('What is broken')) ?? []
    assert.ok(pretty(sample, { color: false, columns: 100 }).includes(`\n\n${block}\n\n`))
    assert.match(block, /1\. The parameter limit is ignored[\s\S]* {4}again {5}curl -i[\s\S]*\n {2}! AUTH-10/)
  })

  it('a Markdown report has every rule by section, the observations and the created animals', () => {
    for (const { id } of sample.rules) assert.match(part('Rules'), new RegExp(`\\| ${id} \\|`))
    assert.match(part('Rules'), /### 4\.1 List animals/)
    assert.match(
      part('What the interface leaves open'),
      /\| default status \| 2 \| Open: the `status` of an animal that was added without one\. \(interface\.md\\#s2-open-default-status\) \| available \|/,
    )
    assert.match(part('Animals created by this run'), /\| 9007199254740993 \| Rex of run kqzv \|/)
  })

  it('a Markdown report leaves out headings of empty sections', () => {
    const good = markdown(sampleWith([sampleRule('VER-1')], { observations: [], created: [] }))
    assert.deepEqual(good.match(/^## .*/gm), ['## Rules'])
  })

  it('no text of a deployment becomes a tag, a link, an image, emphasis, a cell or a line in Markdown', () => {
    const hostile =
      '<img src=x> [a](http://evil.example) ![b](c) **d** `e` | f\n# g www.evil.example @you &lt; $h$ \u202e'
    const held = markdown(sampleHolding(hostile))
    const outsideCode = held
      .replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, 'CODE')
      .replace(/(`+) ?[^\n]*?[^`\n] ?\1(?!`)/g, 'CODE')
      .replace(/\\[!-/:-@[-`{-~]/g, 'ESCAPED')
    assert.doesNotMatch(outsideCode, /<img|\]\(|!\[|\*\*d|http:\/\/evil|www\.|@you|&lt;|\$h/)
    assert.doesNotMatch(held, /^# g/m)
    for (const row of held.match(/^\| . (fail|pass)( \(known\))? .*$/gm) ?? []) {
      assert.equal(row.replaceAll('\\|', '').split('|').length, 8)
    }
  })

  it('the fence of a block of code is longer than any run of backticks in it', () => {
    const evidence = { exchange: 'list', status: 200, body: { before: '', marked: '````', after: '\n```' } }
    const report = sampleWith([{ ...sampleRule('LIST-10'), evidence }])
    assert.match(markdown(report), /\n`{5}text\n[\s\S]* {4}body {6}````\\n```\n {14}\^{4}\n[\s\S]*\n`{5}\n/)
  })
})
