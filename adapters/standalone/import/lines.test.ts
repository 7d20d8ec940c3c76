import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { splitLines } from './lines.ts'

async function* chunksOf(bytes: Uint8Array, ends: readonly number[]): AsyncGenerator<Uint8Array> {
  const cuts = [0, ...ends.map((end) => end % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  for (const [i, cut] of cuts.entries()) yield bytes.subarray(cut, cuts[i + 1])
}

test('lines are the same wherever the chunks end, and no longer than asked for by more than a byte', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\r'), maxLength: 12 })),
      fc.array(fc.nat()),
      fc.integer({ min: 1, max: 8 }),
      async (lines, ends, maxBytes) => {
        const split: string[] = []
        for await (const line of splitLines(chunksOf(Buffer.from(lines.join('\n')), ends), maxBytes))
          split.push(String(line))
        const expected = lines.map((line) => line.slice(0, maxBytes + 1))
        if (expected.at(-1) === '') expected.pop() // what follows the last newline is a line only where it is something
        assert.deepEqual(split, expected)
      },
    ),
  ))
