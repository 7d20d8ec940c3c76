import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Asked, serviceRequest } from '../testing/service-request.ts'
import { findBodyError, parseJsonBody } from './body.ts'
import { ApiError } from './errors.ts'
import type { ServiceRequest } from './http.ts'

const maxBytes = 100

async function findError(request: ServiceRequest): Promise<ApiError | undefined> {
  const read = findBodyError(request, maxBytes) ?? parseJsonBody(await request.body(maxBytes), maxBytes)
  return read instanceof ApiError ? read : undefined
}

const findCode = async (asked: Asked) => (await findError(serviceRequest({ body: '{}', ...asked })))?.code

const types = [
  ...[undefined, '', 'application/json', 'Application/JSON', 'application/json;'],
  ...['application/json;charset=utf-8', 'application/json ; charset="utf-8" ; v=1'],
  ...['application/json; profile="a;charset=latin1;\\"b"', 'application/json; v=1; CHARSET = utf-8'],
  'application/json; charset',
]
const charsets = ['utf-16', 'latin1', '', '"utf-8', 'utf-8; charset=latin1', 'utf-8-sig']
const otherTypes = [
  ...['text/json', 'text/plain', 'application/vnd.api+json', 'application/jsonx', ';charset=utf-8'],
  ...['application/json, application/json', 'multipart/form-data; boundary=x'],
  ...charsets.map((charset) => `application/json; charset=${charset}`),
]

describe('the body of a request', () => {
  for (const [name, values, code] of [
    ['content-type', types, undefined],
    ['content-type', otherTypes, 'unsupported_media_type'],
    ['content-encoding', ['', 'identity', 'Identity'], undefined],
    ['content-encoding', ['gzip', 'identity, gzip'], 'unsupported_media_type'],
  ] as const)
    for (const value of values)
      it(`is ${code ?? 'JSON'} with ${name} ${JSON.stringify(value)}`, async () =>
        assert.equal(await findCode({ headers: { [name]: value } }), code))

  it('is rejected before it is read if its declared length is too large', async () => {
    const body = () => assert.fail('read')
    const error = await findError({ ...serviceRequest({ headers: { 'content-length': '101' } }), body })
    assert.match(String(error?.toJson()), /body_too_large.*100 bytes/)
  })

  it('may have the maximum length, also without a declared length', async () => {
    const body = JSON.stringify('x'.repeat(maxBytes - 2))
    assert.equal(await findCode({ body, headers: { 'content-length': undefined } }), undefined)
    const generous = { ...serviceRequest(), body: async () => new Uint8Array(maxBytes + 1) }
    assert.equal((await findError(generous))?.code, 'body_too_large')
  })

  it('is missing if it is empty', async () => {
    assert.match((await findError(serviceRequest()))?.message ?? '', /missing/)
  })
})
