import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { test } from 'node:test'
import { warnOfUntrustedProxy } from './untrusted-proxy.ts'

const headers = { 'x-forwarded-for': '192.0.2.1' }
const tcp = { kind: 'tcp', host: '::1', port: 80 } as const
const unix = { kind: 'unix', path: '/run/pets.sock' } as const

for (const [address, trustProxy, direct, expected] of [
  [tcp, undefined, 999, ['untrusted-proxy']],
  [tcp, undefined, 1_000, []],
  [tcp, 0, 0, []],
  [unix, undefined, 0, ['no-addresses']],
  [unix, 0, 0, ['no-addresses']],
  [unix, ['10.0.0.0/8'], 0, ['no-addresses']],
  [unix, 1, 0, []],
] as const)
  test(`on ${address.kind} with --trust-proxy ${trustProxy}, requests through a proxy after ${direct} direct ones are told as: ${expected}`, () => {
    const server = new EventEmitter() as unknown as Server // all that is used
    const events: string[] = []
    warnOfUntrustedProxy(server, address, trustProxy, { warning: (event) => void events.push(event) })
    for (let i = 0; i < direct; i++) server.emit('request', { headers: {} })
    for (let i = 0; i < 2; i++) server.emit('request', { headers })
    assert.deepEqual([events, server.listenerCount('request')], [expected, 0])
  })
