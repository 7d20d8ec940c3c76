import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonDocument } from '../base/json.ts'
import { type Asked, serviceRequest } from '../testing/service-request.ts'
import { bodyError, parseJsonBody } from './body.ts'
import { ApiError } from './errors.ts'
import type { ServiceRequest } from './http.ts'

async function readJsonBody(request: ServiceRequest, maxBytes: number): Promise<JsonDocument | ApiError> {
  return bodyError(request, maxBytes) ?? parseJsonBody(await request.body(maxBytes), maxBytes)
}

async function codeOf(asked: Asked, maxBytes = 100): Promise<string | undefined> {
  const read = await readJsonBody(serviceRequest({ body: '{}', ...asked }), maxBytes)
  return read instanceof ApiError ? read.code : undefined
}

const taken = [
  undefined,
  '',
  'application/json',
  'Application/JSON',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json ; charset="utf-8" ; v=1',
  'application/json; profile="a;charset=latin1;\\"b"',
  'application/json; v=1; CHARSET = utf-8',
  'application/json;',
  'application/json; charset',
]

const rejected = [
  'text/json',
  'text/plain',
  'application/vnd.api+json',
  'application/jsonx',
  'application/json, application/json',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset=',
  'application/json; charset="utf-8',
  'application/json; charset=utf-8; charset=latin1',
  'application/json;charset=utf-8-sig',
  'multipart/form-data; boundary=x',
  ';charset=utf-8',
]

describe('the body of a request', () => {
  for (const type of taken) {
    it(`counts as JSON with the content type ${JSON.stringify(type)}`, async () => {
      assert.equal(await codeOf({ headers: { 'content-type': type } }), undefined)
    })
  }

  for (const type of rejected) {
    it(`does not count as JSON with the content type ${JSON.stringify(type)}`, async () => {
      assert.equal(await codeOf({ headers: { 'content-type': type } }), 'unsupported_media_type')
    })
  }

  for (const [coding, code] of [
    ['', undefined],
    ['identity', undefined],
    ['Identity', undefined],
    ['gzip', 'unsupported_media_type'],
    ['identity, gzip', 'unsupported_media_type'],
  ] as const) {
    it(`with the content encoding "${coding}" is ${code ?? 'read'}`, async () => {
      assert.equal(await codeOf({ headers: { 'content-encoding': coding } }), code)
    })
  }

  it('a body with a declared length above the bound is rejected before it is read', async () => {
    const request = {
      ...serviceRequest({ headers: { 'content-length': '101' } }),
      body: () => assert.fail('read'),
    }
    const error = await readJsonBody(request, 100)
    assert.ok(error instanceof ApiError)
    assert.equal(error.code, 'body_too_large')
    assert.match(error.message, /100 bytes/)
  })

  it('a body may have the maximum length and no more, also without a declared length', async () => {
    const undeclared = { 'content-length': undefined }
    const body = (length: number) => JSON.stringify('x'.repeat(length - 2))
    assert.equal(await codeOf({ body: body(100), headers: undeclared }), undefined)
    const generous = { ...serviceRequest(), body: async () => new Uint8Array(101) }
    const error = await readJsonBody(generous, 100)
    assert.equal(error instanceof ApiError && error.code, 'body_too_large')
  })

  it('a body that is missing or is not JSON is rejected with a message for each', async () => {
    assert.equal(await codeOf({ body: '' }), 'invalid_json')
    assert.equal(await codeOf({ body: '{' }), 'invalid_json')
    const missing = await readJsonBody(serviceRequest(), 100)
    assert.match(missing instanceof ApiError ? missing.message : '', /missing/)
  })

  it('the problems of a body are checked in this order: media type, size, content', async () => {
    const text = { 'content-type': 'text/plain' }
    assert.equal(await codeOf({ body: '{'.repeat(200), headers: text }), 'unsupported_media_type')
    assert.equal(await codeOf({ body: '{'.repeat(200) }), 'body_too_large')
  })
})
