import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sample, sampleHolding, sampleRule, sampleWith } from '../testing/sample.ts'
import { github } from './github.ts'

const lines = github(sample).split('\n')

describe('github', () => {
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
