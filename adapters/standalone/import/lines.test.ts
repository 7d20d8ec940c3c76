import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitLines } from './lines.ts'

async function* chunksOf(bytes: Uint8Array, ends: readonly number[]): AsyncGenerator<Uint8Array> {
  const cuts = [0, ...ends.map((end) => end % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  for (const [i, cut] of cuts.entries()) yield bytes.subarray(cut, cuts[i + 1])
}

test('lines and their numbers are the same wherever the chunks end; blank lines are skipped and long ones cut', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\r'), maxLength: 12 })),
      fc.array(fc.nat()),
      fc.integer({ min: 1, max: 8 }),
      async (lines, ends, maxBytes) => {
        const split: (readonly [number: number, text: string])[] = []
        for await (const { number, bytes } of splitLines(
          chunksOf(Buffer.from(lines.join('\n')), ends),
          maxBytes,
        ))
          split.push([number, String(bytes)])
        const expected = lines
          .map((line, i) => [i + 1, line.slice(0, maxBytes + 1)] as const)
          .filter(([, text]) => /[^\r]/.test(text))
        assert.deepEqual(split, expected)
      },
    ),
  ))

test('ten million empty lines count, and none of them is a step of the iteration', async () => {
  async function* blank(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < 10; i++) yield new Uint8Array(2 ** 20).fill(0x0a)
    yield Buffer.from('x')
  }
  const numbers: number[] = []
  for await (const { number } of splitLines(blank(), 8)) numbers.push(number)
  assert.deepEqual(numbers, [10 * 2 ** 20 + 1])
})
