import { toInt64 } from './int64.ts'

/** Returns what a value must be, or `false` if the value is valid. */
type Rule = (value: unknown) => string | false
/** The rule for each member. */
export type Rules = Readonly<Record<string, Rule>>

const makeOptional =
  (rule: Rule): Rule =>
  (value) =>
    value !== undefined && rule(value)
export const createTypeRule =
  (type: string): Rule =>
  (value) =>
    typeof value !== type && `a ${type}`
export const createTextRule =
  (pattern: RegExp, expected: string): Rule =>
  (value) =>
    !(typeof value === 'string' && pattern.test(value)) && expected
const int64Rule: Rule = (value) => toInt64(value) === undefined && 'an int64'
export const countRule: Rule = (value) =>
  !(Number.isSafeInteger(value) && (value as number) >= 0) && 'a non-negative integer' // safe integers are numbers
const statusRule = makeOptional(
  createTextRule(/^(available|pending|sold)$/, '"available", "pending" or "sold"'),
)

export const idRules: Rules = { id: int64Rule }
export const newPetRules: Rules = {
  name: createTypeRule('string'),
  categoryId: int64Rule,
  status: statusRule,
}
export const petRules: Rules = { ...idRules, ...newPetRules }
export const queryRules: Rules = {
  limit: makeOptional(createTypeRule('number')),
  status: statusRule,
  after: makeOptional(int64Rule),
}
export const callRules: Rules = {
  signal: makeOptional((value) => !(value instanceof AbortSignal) && 'an AbortSignal'),
}
export const createRules: Rules = {
  ...callRules,
  idempotencyKey: makeOptional(
    createTextRule(/^[!#-[\]-~]{1,255}$/, '1 to 255 visible ASCII characters except " and \\'),
  ),
}

/**
 * Checks an object against its rules. Returns an error message for the first invalid member, or `undefined` if all are
 * valid. The message does not show the value, which may be an API key.
 */
export function findProblem(
  place: string,
  value: unknown,
  rules: Rules,
  names: readonly string[] = Object.keys(rules),
): string | undefined {
  if (Object(value) !== value) return `${place} must be an object`
  const members = value as Readonly<Record<string, unknown>> // the value is an object
  for (const name of names) {
    const rule = rules[name]
    if (!rule) return `unknown option "${place}.${name}"; expected one of ${Object.keys(rules).join(', ')}`
    const expectedType = rule(members[name])
    if (expectedType)
      return `${place}.${name} ${members[name] === undefined ? 'is missing' : `must be ${expectedType}`}`
  }
  return undefined
}

/**
 * Checks an object against its rules. Other members are allowed.
 *
 * @throws {TypeError} A member is missing or invalid.
 */
export function checkMembers(place: string, value: unknown, rules: Rules, names?: readonly string[]): void {
  const memberProblem = findProblem(place, value, rules, names)
  if (memberProblem) throw new TypeError(memberProblem)
}

/**
 * Checks an options object.
 *
 * @throws {TypeError} An option is missing, unknown or invalid.
 */
export const checkOptions = (place: string, options: object, rules: Rules): void =>
  checkMembers(place, options, rules, Object.keys({ ...rules, ...options }))
