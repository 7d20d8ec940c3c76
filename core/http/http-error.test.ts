import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createServiceRequest, type RequestOptions } from '../testing/service-request.ts'
import { findHttpError } from './http-error.ts'
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
const withHost = (host: string | undefined) => ({ headers: { host } })
const withCoding = (coding: string) => ({ headers: { 'transfer-encoding': coding } })
const withExpect = (expect: string) => ({ headers: { expect } })

const requests: Readonly<Record<string, readonly RequestOptions[]>> = {
  none: [
    ...goodHosts.map(withHost),
    ...[http10, checkedElsewhere].map((version) => ({ ...withHost(undefined), ...version })),
    { target: '*', method: 'OPTIONS' },
    ...['chunked', 'Chunked'].map(withCoding),
    { ...withCoding('gzip, chunked'), ...checkedElsewhere },
    ...['100-continue', '100-Continue'].map(withExpect),
    { ...withExpect('200-ok'), ...http10 }, // HTTP/1.0 has no Expect (RFC 9110, 10.1.1)
  ],
  invalid_request: [
    ...[undefined, ...badHosts].map(withHost),
    ...['*', 'pets'].map((target) => ({ target })),
    ...['gzip, chunked', 'identity', ''].map(withCoding),
  ],
  expectation_failed: ['200-ok', '100-continue, 200-ok'].map(withExpect),
}

for (const [code, asked] of Object.entries(requests))
  for (const one of asked)
    test(`findHttpError returns ${code} for ${JSON.stringify(one)}`, () => {
      const request = createServiceRequest(one)
      assert.equal(findHttpError(request, parseTarget(request.target))?.code ?? 'none', code)
    })
