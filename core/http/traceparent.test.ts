import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseTraceId } from './traceparent.ts'

const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']

describe('parseTraceId', () => {
  for (const value of [
    `00-${trace}-${parent}-01`,
    `00-${trace}-${parent}-00`,
    `cc-${trace}-${parent}-01-more`,
  ])
    it(`returns the trace ID in ${value}`, () => assert.equal(parseTraceId(value), trace))

  for (const value of [
    undefined,
    '',
    `00-${trace}-${parent}`,
    `00-${trace}-${parent}-01-more`,
    `cc-${trace}-${parent}-01more`,
    `ff-${trace}-${parent}-01`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`,
  ])
    it(`ignores ${JSON.stringify(value)}`, () => assert.equal(parseTraceId(value), undefined))
})
