import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capacityFor, costOfMix, rateOfCores } from './capacity.ts'
import { stepsInOrder } from './capacity-steps.ts'
import { capacityTable } from './capacity-table.ts'
import type { Cell } from './figures.ts'
import { type OperationId, operationIds, operations } from './operations.ts'
import { sizes } from './world.ts'

const cost = {
  serverMicros: 120,
  redisMicros: 30,
  readMicros: 60,
  writeMicros: 12,
  responseBytes: 1_000,
  walBytes: 50,
}

function cellOf(operation: OperationId, servers: number, micros: number): Cell {
  return {
    operation,
    servers,
    size: 1_000,
    serverMicros: micros,
    redisMicros: 1,
    redisCalls: 1,
    postgresMicros: micros,
    statements: 1,
    walBytes: 0,
    responseBytes: 1,
  }
}

test('the shares of the operations add up to one, nine tenths of them reads', () => {
  const sum = (ids: readonly OperationId[]) => ids.reduce((total, id) => total + operations[id].share, 0)
  assert.equal(sum(operationIds).toFixed(6), '1.000000')
  assert.equal(sum(operationIds.filter((id) => !operations[id].adds)).toFixed(6), '0.900000')
})

test('a core is used to 60 %, and a part of one counts as one', () => {
  const { servers, redisShards, readCores, writeCores } = capacityFor(10_000, cost)
  assert.deepEqual(
    { servers, redisShards, readCores, writeCores },
    { servers: 2, redisShards: 1, readCores: 1, writeCores: 1 },
  )
  assert.equal(capacityFor(10_001, cost).servers, 3)
})

test('a hundred times the requests take a hundred times the cores, connections and bytes', () => {
  assert.deepEqual(capacityFor(1_000_000, cost), {
    servers: 200,
    redisShards: 50,
    readCores: 100,
    writeCores: 20,
    connections: 2_000,
    gigabits: 8,
    walMegabytes: 50,
  })
})

test('a fleet for the rate that its cores can do needs exactly these cores', () => {
  for (const cores of [1, 2, 7, 64])
    assert.equal(capacityFor(Math.floor(rateOfCores(cores, cost.serverMicros)), cost).servers, cores)
})

test('the cost of the mix is that of the largest fleet, each operation by its share', () => {
  const cells = operationIds.flatMap((id) => [
    cellOf(id, 1, 1_000),
    cellOf(id, 3, operations[id].adds ? 200 : 100),
  ])
  const { serverMicros, readMicros, writeMicros } = costOfMix(cells, 1_000)
  assert.deepEqual([serverMicros, readMicros, writeMicros].map(Math.round), [110, 90, 20])
})

test('an operation without a figure is an error that names it', () => {
  assert.throws(() => costOfMix([cellOf('getPet', 3, 1)], 1_000), /no figure for list20 with 3 servers/)
})

test('a growing fleet reaches one server first, and the writes of the primary last', () => {
  const steps = stepsInOrder(cost)
  assert.equal(steps[0]?.part, 'one server')
  assert.equal(steps.at(-1)?.part, 'a primary of 64 cores that only writes')
  assert.ok(steps.every(({ at }, i) => at >= (steps[i - 1]?.at ?? 0)))
})

test('a part that costs twice as much gives way at half the rate', () => {
  const rateOf = (redisMicros: number) =>
    stepsInOrder({ ...cost, redisMicros }).find(({ part }) => part === 'one Redis')?.at
  assert.deepEqual([rateOf(30), rateOf(60)], [20_000, 10_000])
})

test('the table names what a rate needs and the package does not have', () => {
  const cells = sizes.flatMap((size) => operationIds.map((id) => ({ ...cellOf(id, 3, 100), size })))
  const [small = '', , , , large = ''] = capacityTable({ cells }).split('\n').slice(2)
  assert.match(small, /^\| 10,000 \|.*\| nothing \|$/)
  assert.match(large, /^\| 1,000,000 \|.*read replicas/)
  assert.doesNotMatch(large, /local share/)
})
