import { invalidResponse, parseJson, type Reply } from './responses.ts'
import type { Pet } from './types.ts'

/** Returns the animals of a response. Throws a `PetApiError` that says what is wrong and where. */
export function readPets(reply: Reply): readonly Pet[] {
  const { value, texts } = parseJson(reply)
  if (!Array.isArray(value)) throw invalidResponse(reply, 'the body is not a JSON array')
  return value.map((pet, i) => petOf(reply, pet, Object(texts)[i], `pets[${i}]`))
}

/** Returns the animal of a response. Throws as `readPets` does. */
export function readPet(reply: Reply): Pet {
  const { value, texts } = parseJson(reply)
  return petOf(reply, value, texts, 'pet')
}

/** `texts` is the same value with the source text of each number in its place. */
function petOf(reply: Reply, value: unknown, texts: unknown, where: string): Pet {
  const pet = { ...Object(value) }
  for (const name of ['id', 'categoryId'])
    pet[name] = typeof pet[name] === 'number' ? int64OfText(Object(texts)[name]) : undefined
  const isRight = {
    id: pet.id !== undefined,
    name: typeof pet.name === 'string',
    categoryId: pet.categoryId !== undefined,
    status: ['available', 'pending', 'sold', undefined].includes(pet.status),
  }
  const wrong = Object.entries(isRight).find(([, right]) => !right)
  if (wrong) throw invalidResponse(reply, `${where}.${wrong[0]} is not that of a Pet`)
  return pet
}

/** Returns the int64 of the text of a JSON number, such as `7`, `7.0` and `7e0`; undefined for other numbers. */
function int64OfText(text: string): bigint | undefined {
  const [, sign, whole = '', fraction = '', exponent] = /^(-?)(\d+)\.?(\d*)[eE]?(.*)$/.exec(text) ?? []
  const digits = (whole + fraction).replaceAll('0', ' ').trimStart() // spaces, since /0+$/ takes quadratic time
  const significant = digits.trimEnd()
  const zeros = digits.length - significant.length - fraction.length + Number(exponent)
  if (significant === '') return 0n
  if (zeros < 0 || significant.length + zeros > 19) return undefined
  return toInt64(BigInt(sign + significant.replaceAll(' ', '0') + '0'.repeat(zeros)))
}

/** Returns the int64 that a bigint or a safe integer is; undefined for anything else. */
export function toInt64(value: unknown): bigint | undefined {
  if (typeof value !== 'bigint') return Number.isSafeInteger(value) ? BigInt(value as number) : undefined
  return BigInt.asIntN(64, value) === value ? value : undefined
}
