import type { Report } from '../report/report.ts'
import { readPackageFile } from '../report/statements.ts'
import { parseIsoTime } from './selection.ts'

/**
 * Reads a saved report, so that {@link judge} can judge its exchanges again.
 *
 * @param text The report as JSON, from `--format json=FILE` or `JSON.stringify`.
 * @throws {TypeError} if the text is not JSON or not a report. The message names the first wrong value.
 *
 * @example
 * import { readFileSync } from 'node:fs'
 * import { judge, readReport } from 'pet-adoption-service/conformance'
 *
 * const report = readReport(readFileSync('report.json', 'utf8'))
 * console.log(judge(report, { only: ['LIST'] }).summary)
 */
export function readReport(text: string): Report {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new TypeError('the report is not JSON: save one with --format json=FILE')
  }
  const schema: Schema = JSON.parse(readPackageFile('report-1.json'))
  checkSchema(schema, value, '$', schema)
  const report = value as Report // the schema describes this type
  checkIds(report)
  return report
}

/** The keywords of JSON Schema (draft 2020-12) that `report-1.json` uses. */
interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly type?: keyof typeof typeCheckers
  readonly enum?: readonly unknown[]
  readonly format?: keyof typeof formatCheckers
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  /** Exactly one schema must match. */
  readonly oneOf?: readonly Pick<Schema, 'required'>[]
}

const typeCheckers = {
  array: Array.isArray,
  boolean: (value: unknown) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: Number.isFinite,
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
  string: (value: unknown) => typeof value === 'string',
} as const

const formatCheckers = {
  'date-time': (text: string) => parseIsoTime(text) !== undefined,
  uri: (text: string) => URL.canParse(text),
} as const

function rejectReport(place: string, problem: string): never {
  throw new TypeError(`invalid report: ${place} ${problem}`)
}

/** Checks a value against a schema. `place` is its JSONPath. */
function checkSchema(schema: Schema, value: unknown, place: string, root: Schema): void {
  const { $ref, type, enum: words, oneOf, items, properties = {}, required = [] } = schema
  const definition = root.$defs?.[$ref?.split('/').at(-1) ?? '']
  if (definition !== undefined) checkSchema(definition, value, place, root)
  if (type !== undefined && !typeCheckers[type](value)) rejectReport(place, `must be of type ${type}`)
  if (words !== undefined && !words.includes(value))
    rejectReport(place, `must be ${words.map((word) => JSON.stringify(word)).join(' or ')}`)
  if (typeof value === 'string') checkText(schema, value, place)
  if (typeof value === 'number') checkBounds(value, schema.minimum, schema.maximum, place, 'be')
  if (Array.isArray(value)) {
    checkBounds(value.length, schema.minItems, schema.maxItems, place, 'have', ' elements')
    for (const [index, element] of value.entries())
      if (items !== undefined) checkSchema(items, element, `${place}[${index}]`, root)
  } else if (typeof value === 'object' && value !== null) {
    const members = new Map<string, unknown>(Object.entries(value))
    const missingMember = required.find((name) => !members.has(name))
    if (missingMember !== undefined) rejectReport(`${place}.${missingMember}`, 'is missing')
    for (const [name, member] of Object.entries(properties))
      if (members.has(name)) checkSchema(member, members.get(name), `${place}.${name}`, root)
    const names = oneOf?.flatMap((one) => one.required ?? []) ?? []
    if (oneOf !== undefined && names.filter((name) => members.has(name)).length !== 1)
      rejectReport(place, `must have either ${names.join(' or ')}`)
  }
}

function checkText({ format, pattern, minLength, maxLength }: Schema, text: string, place: string): void {
  checkBounds(text.length, minLength, maxLength, place, 'have', ' characters')
  if (format !== undefined && !formatCheckers[format](text))
    rejectReport(place, `must have the format ${format}`)
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text))
    rejectReport(place, `must match ${pattern}`)
}

function checkBounds(
  size: number,
  least = 0,
  most = Number.MAX_VALUE,
  place: string,
  verb: 'be' | 'have',
  unit = '',
): void {
  if (size < least) rejectReport(place, `must ${verb} at least ${least}${unit}`)
  if (size > most) rejectReport(place, `must ${verb} at most ${most}${unit}`)
}

/** Rules find exchanges by their ids, so these must be unique. */
function checkIds({ exchanges }: Report): void {
  const indexById = new Map<string, number>()
  for (const [index, { id }] of exchanges.entries()) {
    const firstIndex = indexById.get(id)
    if (firstIndex !== undefined)
      rejectReport(`$.exchanges[${index}].id`, `duplicates $.exchanges[${firstIndex}].id`)
    indexById.set(id, index)
  }
}
