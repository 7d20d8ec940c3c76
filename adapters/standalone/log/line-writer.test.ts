import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLineWriter } from './line-writer.ts'

const tellLost = (lines: number) => `lost ${lines}`

/** A stream whose reader takes the next chunk only when told to. */
function createSlowStream(): { stream: Writable; chunks: string[]; take: () => void } {
  const chunks: string[] = []
  const pending: (() => void)[] = []
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      chunks.push(chunk)
      pending.push(done)
    },
  })
  return { stream, chunks, take: () => pending.shift()?.() }
}

test('the lines of one turn are one write', async () => {
  const { stream, chunks } = createSlowStream()
  const writer = createLineWriter(stream, { tellLost })
  writer.write('one')
  writer.write('two')
  assert.deepEqual(chunks, [])
  await nextTurn()
  assert.deepEqual(chunks, ['one\ntwo\n'])
})

test('a reader that does not keep up loses lines, and is told how many', async () => {
  const { stream, chunks, take } = createSlowStream()
  const writer = createLineWriter(stream, { tellLost, mostWaiting: 10 })
  writer.write('long enough')
  await nextTurn()
  writer.write('lost')
  writer.write('lost too')
  await nextTurn()
  assert.deepEqual(chunks, ['long enough\n'])
  take()
  writer.write('next')
  await nextTurn()
  assert.deepEqual(chunks, ['long enough\n', 'lost 2\nnext\n'])
})

test('a reader that has gone away disturbs nobody', async () => {
  const stream = new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    },
  })
  const writer = createLineWriter(stream, { tellLost })
  writer.write('one')
  await nextTurn()
  await nextTurn()
  writer.write('two')
  await nextTurn()
  await writer.flush(60_000)
})

test('a flush waits until the reader has all, but not for ever', async () => {
  const { stream, chunks, take } = createSlowStream()
  const writer = createLineWriter(stream, { tellLost })
  writer.write('one')
  await writer.flush(1)
  assert.deepEqual(chunks, ['one\n'])
  take()
  take()
  const { stream: quick } = createSlowStream()
  quick._write = (_chunk, _encoding, done) => done()
  await createLineWriter(quick, { tellLost }).flush(60_000)
})
