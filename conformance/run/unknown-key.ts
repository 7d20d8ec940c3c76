/** The kinds of characters that another character of the same kind replaces. */
const kinds = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'] as const
/** The letters of a hexadecimal key. */
const hexKinds = ['0123456789', 'abcdef', 'ABCDEF'] as const

/** With fewer replaced characters, another caller might have the key. */
const leastReplaced = 8

/**
 * Returns a key that no deployment has issued, with the prefix, the length and the alphabet of a real one: each letter
 * and each digit behind the prefix becomes another one. Returns `undefined` if the key is too short for that.
 *
 * @param random Returns random bytes.
 */
export function createKeyAlike(key: string, random: (size: number) => Uint8Array): string | undefined {
  const start = findPrefixEnd(key)
  if (start === undefined) return undefined
  const rest = key.slice(start)
  const alphabet = /[g-z]/i.test(rest) ? kinds : hexKinds
  const bytes = random(rest.length)
  const replaced = [...rest].map((character, n) => {
    const kind = alphabet.find((characters) => characters.includes(character))
    if (kind === undefined) return character
    const shift = 1 + ((bytes[n] ?? 0) % (kind.length - 1))
    return kind[(kind.indexOf(character) + shift) % kind.length]
  })
  return key.slice(0, start) + replaced.join('')
}

/** Returns where the prefix of a key ends, such as `sk_live_`, so that enough characters follow. */
function findPrefixEnd(key: string): number | undefined {
  const [prefix = ''] = /^(?:[a-z]{1,12}[_.-])+/i.exec(key) ?? []
  const ends = [...prefix.matchAll(/[_.-]/g)].map(({ index }) => index + 1).reverse()
  return [...ends, 0].find((end) => key.slice(end).replace(/[^a-z\d]/gi, '').length >= leastReplaced)
}
