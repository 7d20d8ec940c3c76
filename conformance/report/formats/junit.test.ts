import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sample, sampleHolding, sampleRule, sampleWith } from '../testing/sample.ts'
import { junit } from './junit.ts'

const text = junit(sample)

const testcase = (start: string): string =>
  new RegExp(`<testcase classname="[^"]*" name="${start}[^>]*>([\\s\\S]*?)</testcase>`).exec(text)?.[1] ??
  'none'

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
  it('a JUnit report is well-formed XML, and its counts are correct', () => {
    const counts = wellFormed(text)
    const root = /<testsuites [^>]*>/.exec(text)?.[0] ?? ''
    assert.match(root, /tests="11" failures="2" errors="1" skipped="5" time="0.812"/)
    assert.deepEqual(
      ['testcase', 'failure', 'error', 'skipped', 'system-out'].map((name) => counts.get(name)),
      [11, 2, 1, 5, 1],
    )
  })

  it('a JUnit report has a suite for each section of the spec', () => {
    assert.match(
      text,
      /<testsuite name="4.1 List animals: GET \/pets" tests="4" failures="1" errors="0" skipped="2"/,
    )
  })

  it('a JUnit failure has what was expected, what was received and the command', () => {
    assert.match(testcase('LIST-10'), /^<failure type="MUST" message="a page has 101 animals">/)
    assert.match(testcase('LIST-10'), />cause: The parameter limit is ignored: /)
    assert.match(testcase('LIST-10'), /expected: at most 100 animals, or a 4xx\ngot: 200 with 101 animals\n/)
  })

  it('a JUnit failure has the status line, the content type and the body, with carets below what is wrong', () => {
    const lines = testcase('LIST-10').replaceAll('&quot;', '"').split('\n')
    const place = lines.indexOf('response: 200 OK, application/json; charset=utf-8')
    assert.deepEqual(lines.slice(place - 1, place + 3), [
      'at: $[100] in the body',
      'response: 200 OK, application/json; charset=utf-8',
      'body: …{"id":100},{"id":101}]',
      '                  ^^^^^^^^^^',
    ])
  })

  it('a JUnit report has the causes as properties of its first suite', () => {
    assert.match(text, /<property name="causes" value="1 cause behind 1 failure"\/>/)
    assert.match(
      text,
      /<property name="cause 1" value="The parameter limit is ignored: .* \(explains LIST-10, LIST-12\)"\/>/,
    )
    assert.equal(text.match(/<properties>/g)?.length, 1)
    assert.doesNotMatch(junit(sampleWith([sampleRule('VER-1')])), /<propert/)
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
    assert.doesNotMatch(held.replaceAll('\n', ''), /[\p{Cc}\p{Cs}\ufffe]/u)
    assert.doesNotMatch(held, /^\s*::/m)
  })
})
