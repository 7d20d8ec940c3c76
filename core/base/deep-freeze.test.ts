import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors, operations, petStatuses, plans } from '../index.ts'

function assertFrozen(value: unknown, place: string): void {
  if (typeof value !== 'object' || value === null) return
  assert.ok(Object.isFrozen(value), `${place} can be changed`)
  for (const [name, member] of Object.entries(value)) assertFrozen(member, `${place}.${name}`)
}

for (const [name, table] of Object.entries({ errors, operations, petStatuses, plans }))
  test(`the exported table ${name} cannot be changed`, () => assertFrozen(table, name))
