import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Generations } from './generations.ts'

it('a value is stored until it ends, whatever is added after it', () => {
  const values = new Generations<number>()
  values.add('first', 1, 0, 60)
  values.add('a', 2, 60, 120)
  values.add('b', 3, 61, 121)
  assert.equal(values.get('a'), 2)
  values.add('a', 4, 100, 160)
  for (let now = 122; now <= 400; now += 60) values.add('later', now, now, now + 60)
  assert.equal(values.get('a'), undefined)
})

it('a value is stored until it ends, whatever ends before it', () => {
  const values = new Generations<string>()
  const ends = { first: [0, 60], a: [1, 200], b: [2, 70], c: [61, 121], d: [71, 131] } as const
  for (const [name, [now, endsAt]] of Object.entries(ends)) values.add(name, name, now, endsAt)
  assert.equal(values.get('a'), 'a')
})

it('a value that is deleted is in no generation', () => {
  const values = new Generations<number>()
  values.add('a', 1, 0, 60)
  values.add('b', 2, 1, 61)
  values.add('a', 3, 2, 62)
  values.delete('a')
  assert.equal(values.get('a'), undefined)
})

it('a value is dropped after one to two generations of others', () => {
  const values = new Generations<number>(500)
  for (let i = 0; i <= 500; i++) values.add(`${i}`, i, 0, 60)
  assert.equal(values.get('0'), 0)
  for (let i = 501; i <= 1_000; i++) values.add(`${i}`, i, 0, 60)
  assert.equal(values.get('0'), undefined)
})
