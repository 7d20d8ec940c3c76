import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { epoch } from '../testing/traffic.ts'
import { createRecent } from './generations.ts'

const hourMs = 3_600_000

describe('a key that was valid', () => {
  it('counts as seen for an hour', () => {
    const seen = createRecent(hourMs, 50_000)
    seen.add('a', epoch)
    assert.ok(seen.has('a', epoch + hourMs - 1))
    assert.ok(!seen.has('a', epoch + hourMs))
    assert.ok(!seen.has('b', epoch))
  })

  it('counts for an hour from the last time, however often it was seen', () => {
    const seen = createRecent(hourMs, 50_000)
    for (let now = epoch; now <= epoch + 3 * hourMs; now += hourMs / 3) seen.add('a', now)
    assert.ok(seen.has('a', epoch + 4 * hourMs - 1))
    assert.ok(!seen.has('a', epoch + 4 * hourMs))
  })

  it('counts for the hour, whatever keys are seen after it', () => {
    const seen = createRecent(hourMs, 50_000)
    seen.add('first', epoch)
    seen.add('a', epoch + hourMs)
    seen.add('b', epoch + hourMs + 1)
    assert.ok(seen.has('a', epoch + 2 * hourMs - 1))
  })

  it('does not count any more once it is deleted', () => {
    const seen = createRecent(hourMs, 50_000)
    seen.add('a', epoch)
    seen.add('b', epoch + hourMs + 1)
    seen.add('a', epoch + hourMs + 1)
    seen.delete('a')
    assert.ok(!seen.has('a', epoch + hourMs + 1))
  })

  it('does not count for longer after the clock has stepped back', () => {
    const seen = createRecent(hourMs, 50_000)
    seen.add('a', epoch)
    assert.ok(seen.has('a', epoch - hourMs + 1))
    assert.ok(!seen.has('a', epoch - hourMs))
    seen.add('b', epoch - 24 * hourMs)
    assert.ok(seen.has('b', epoch - 24 * hourMs))
  })

  it('is dropped after 50,000 to 100,000 other keys', () => {
    const seen = createRecent(hourMs, 50_000)
    seen.add('a', epoch)
    for (let i = 0; i < 50_000; i++) seen.add(`other ${i}`, epoch)
    assert.ok(seen.has('a', epoch))
    for (let i = 50_000; i < 100_000; i++) seen.add(`other ${i}`, epoch)
    assert.ok(!seen.has('a', epoch))
  })
})
