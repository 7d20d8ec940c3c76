import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Asked, serviceRequest } from '../testing/service-request.ts'
import { httpError } from './http-error.ts'
import { parseTarget } from './target.ts'

function codeOf(asked: Asked): string | undefined {
  const request = serviceRequest(asked)
  return httpError(request, parseTarget(request.target))?.code
}

const hosts: readonly (readonly [host: string, valid: boolean])[] = [
  ['', true],
  ['pets.example', true],
  ['pets.example:8080', true],
  ['pets.example:', true],
  ['localhost', true],
  ['192.0.2.1:80', true],
  ['[2001:db8::1]:80', true],
  ['[::ffff:192.0.2.1]', true],
  ['p%65ts.example', true],
  ['a, b', false],
  ['pets.example, pets.example', false],
  ['user@pets.example', false],
  ['pets.example/v1', false],
  ['http://pets.example', false],
  ['pets.example:port', false],
  ['pets.example:80:80', false],
  ['2001:db8::1', false],
  ['[2001:db8::1', false],
  ['[pets.example]', false],
  ['pets example', false],
  ['pêts.example', false],
]

describe('HTTP itself', () => {
  for (const [host, valid] of hosts) {
    it(`${valid ? 'accepts' : 'rejects'} the host "${host}"`, () => {
      assert.equal(codeOf({ headers: { host } }), valid ? undefined : 'invalid_request')
    })
  }

  it('requires a Host with HTTP/1.1 and with no other version', () => {
    const headers = { host: undefined }
    assert.equal(codeOf({ headers }), 'invalid_request')
    assert.equal(codeOf({ headers, httpVersion: '1.0' }), undefined)
    assert.equal(codeOf({ headers, httpVersion: undefined }), undefined)
  })

  it('rejects a target without a path, except * for OPTIONS', () => {
    assert.equal(codeOf({ target: '*' }), 'invalid_request')
    assert.equal(codeOf({ target: 'pets' }), 'invalid_request')
    assert.equal(codeOf({ target: '*', method: 'OPTIONS' }), undefined)
  })

  for (const [coding, code] of [
    ['chunked', undefined],
    ['Chunked', undefined],
    ['gzip, chunked', 'invalid_request'],
    ['identity', 'invalid_request'],
    ['', 'invalid_request'],
  ] as const) {
    it(`${code ? 'rejects' : 'accepts'} the transfer coding "${coding}"`, () => {
      assert.equal(codeOf({ headers: { 'transfer-encoding': coding } }), code)
    })
  }

  it('ignores the transfer coding if the platform has checked the framing', () => {
    const headers = { 'transfer-encoding': 'gzip, chunked' }
    assert.equal(codeOf({ headers, httpVersion: undefined }), undefined)
  })

  for (const [expect, code] of [
    ['100-continue', undefined],
    ['100-Continue', undefined],
    ['200-ok', 'expectation_failed'],
    ['100-continue, 200-ok', 'expectation_failed'],
  ] as const) {
    it(`${code ? 'rejects' : 'accepts'} the expectation "${expect}"`, () => {
      assert.equal(codeOf({ headers: { expect } }), code)
    })
  }

  it('ignores expectations of HTTP/1.0 (RFC 9110, 10.1.1)', () => {
    assert.equal(codeOf({ headers: { expect: '200-ok' }, httpVersion: '1.0' }), undefined)
  })
})
