import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Asked, serviceRequest } from '../testing/service-request.ts'
import { httpError } from './http-error.ts'
import { parseTarget } from './target.ts'

const goodHosts = [
  ...['', 'pets.example', 'pets.example:8080', 'pets.example:', 'localhost', '192.0.2.1:80'],
  ...['[2001:db8::1]:80', '[::ffff:192.0.2.1]', 'p%65ts.example'],
]
const badHosts = [
  ...['a, b', 'pets.example, pets.example', 'user@pets.example', 'pets.example/v1', 'http://pets.example'],
  ...['pets.example:port', 'pets.example:80:80', '2001:db8::1', '[2001:db8::1', '[pets.example]'],
  ...['pets example', 'pêts.example'],
]
const checkedElsewhere = { httpVersion: undefined }
const http10 = { httpVersion: '1.0' }
const coded = (coding: string) => ({ headers: { 'transfer-encoding': coding } })
const expecting = (expect: string) => ({ headers: { expect } })

const cases: readonly (readonly [asked: Asked, code: string | undefined])[] = [
  ...goodHosts.map((host) => [{ headers: { host } }, undefined] as const),
  ...badHosts.map((host) => [{ headers: { host } }, 'invalid_request'] as const),
  [{ headers: { host: undefined } }, 'invalid_request'],
  [{ headers: { host: undefined }, ...http10 }, undefined],
  [{ headers: { host: undefined }, ...checkedElsewhere }, undefined],
  [{ target: '*' }, 'invalid_request'],
  [{ target: 'pets' }, 'invalid_request'],
  [{ target: '*', method: 'OPTIONS' }, undefined],
  [coded('chunked'), undefined],
  [coded('Chunked'), undefined],
  [coded('gzip, chunked'), 'invalid_request'],
  [coded('identity'), 'invalid_request'],
  [coded(''), 'invalid_request'],
  [{ ...coded('gzip, chunked'), ...checkedElsewhere }, undefined],
  [expecting('100-continue'), undefined],
  [expecting('100-Continue'), undefined],
  [expecting('200-ok'), 'expectation_failed'],
  [expecting('100-continue, 200-ok'), 'expectation_failed'],
  [{ ...expecting('200-ok'), ...http10 }, undefined], // RFC 9110, 10.1.1
]

for (const [asked, code] of cases)
  test(`HTTP itself ${code ? `rejects with ${code}` : 'accepts'} ${JSON.stringify(asked)}`, () => {
    const request = serviceRequest(asked)
    assert.equal(httpError(request, parseTarget(request.target))?.code, code)
  })
