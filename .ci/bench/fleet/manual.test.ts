import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { manualFile, readFigures, tablesOf, withTables } from './manual.ts'
import { table } from './markdown.ts'
import { shareRow } from './share-table.ts'

const manual = readFileSync(manualFile, 'utf8')

test('the tables of the manual follow from the figures that were measured', () => {
  const hint = 'run npm run bench -- fleet --capacity --write, and read the difference'
  assert.equal(manual, withTables(manual, tablesOf(readFigures())), hint)
})

test('the manual has the rows of the simulation', () => {
  const [, , row = ''] = table([], [shareRow(10, 'sticky')]).split('\n')
  assert.ok(manual.includes(row), row)
})

test('the manual says that figures of a busy machine are upper bounds', () => {
  const figures = readFigures()
  const settingWith = (otherLoad: number) =>
    tablesOf({ ...figures, machine: { ...figures.machine, cores: 2, otherLoad } }).setting ?? ''
  assert.match(settingWith(9), /upper bounds.*load 9\b/)
  assert.doesNotMatch(settingWith(0.2), /upper bounds/)
})

test('a manual without a place for a table is an error that names it', () => {
  assert.throws(() => withTables('', { costs: '' }), /<!-- fleet: costs -->/)
})
