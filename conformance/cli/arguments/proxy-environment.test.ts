import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proxyFor } from './proxy-environment.ts'

const http = 'http://api.test/v1'
const https = 'https://api.test/v1'

test('a proxy is that of the scheme', () => {
  const env = { HTTP_PROXY: 'http://one.test', HTTPS_PROXY: 'http://two.test' }
  assert.deepEqual(proxyFor(http, env), { proxy: 'http://one.test' })
  assert.deepEqual(proxyFor(https, env), { proxy: 'http://two.test' })
  assert.deepEqual(proxyFor(https, {}), {})
})

test('a name in lower case wins, and an empty one is no proxy', () => {
  assert.deepEqual(proxyFor(https, { HTTPS_PROXY: 'http://two.test', https_proxy: 'http://three.test' }), {
    proxy: 'http://three.test',
  })
  assert.deepEqual(proxyFor(https, { HTTPS_PROXY: 'http://two.test', https_proxy: '' }), {})
})

test('no proxy is used for a host in NO_PROXY, in either case', () => {
  for (const name of ['NO_PROXY', 'no_proxy']) {
    assert.deepEqual(proxyFor(https, { HTTPS_PROXY: 'http://two.test', [name]: '.test' }), {})
  }
})
