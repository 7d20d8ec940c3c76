import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createServiceRequest, type RequestOptions } from '../testing/service-request.ts'
import { findBodyError, parseJsonBody } from './body.ts'
import { ApiError } from './errors.ts'
import type { ServiceRequest } from './http.ts'

const maxBytes = 100

async function findError(request: ServiceRequest): Promise<ApiError | undefined> {
  const parsedBody = findBodyError(request, maxBytes) ?? parseJsonBody(await request.body(maxBytes), maxBytes)
  return parsedBody instanceof ApiError ? parsedBody : undefined
}

const findCode = async (asked: RequestOptions) =>
  (await findError(createServiceRequest({ body: '{}', ...asked })))?.code

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

describe('a JSON body', () => {
  for (const [name, values, code] of [
    ['content-type', types, undefined],
    ['content-type', otherTypes, 'unsupported_media_type'],
    ['content-encoding', ['', 'identity', 'Identity'], undefined],
    ['content-encoding', ['gzip', 'identity, gzip'], 'unsupported_media_type'],
  ] as const)
    for (const value of values)
      it(`results in ${code ?? 'no error'} with ${name} ${JSON.stringify(value)}`, async () =>
        assert.equal(await findCode({ headers: { [name]: value } }), code))

  it('is not read if Content-Length exceeds the maximum', async () => {
    const body = () => assert.fail('read')
    const error = await findError({ ...createServiceRequest({ headers: { 'content-length': '101' } }), body })
    assert.match(String(error?.toJson()), /body_too_large.*100 bytes/)
  })

  it('may have the maximum size, also without Content-Length', async () => {
    const body = JSON.stringify('x'.repeat(maxBytes - 2))
    assert.equal(await findCode({ body, headers: { 'content-length': undefined } }), undefined)
    const oversizedRequest = { ...createServiceRequest(), body: async () => new Uint8Array(maxBytes + 1) }
    assert.equal((await findError(oversizedRequest))?.code, 'body_too_large')
  })

  it('is required', async () => {
    assert.match((await findError(createServiceRequest()))?.message ?? '', /missing/)
  })
})
