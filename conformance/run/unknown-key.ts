/** A character is replaced by another one of its kind. */
const characterKinds = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'] as const
/** Used if the key's letters are all hexadecimal digits. */
const hexKinds = ['0123456789', 'abcdef', 'ABCDEF'] as const

/** Minimum number of letters and digits to replace. Fewer could produce another valid key by chance. */
const minReplaced = 8

/**
 * Creates an unknown key that looks like `key`: the same prefix, length and kinds of characters. Returns `undefined` if
 * the key is too short.
 */
export function createSimilarKey(key: string, random: (size: number) => Uint8Array): string | undefined {
  const prefixLength = findPrefixEnd(key)
  if (prefixLength === undefined) return undefined
  const keyBody = key.slice(prefixLength)
  const alphabet = /[g-z]/i.test(keyBody) ? characterKinds : hexKinds
  const bytes = random(keyBody.length)
  const replacedBody = [...keyBody].map((character, n) => {
    const characterKind = alphabet.find((characters) => characters.includes(character))
    if (characterKind === undefined) return character
    const characterShift = 1 + ((bytes[n] ?? 0) % (characterKind.length - 1))
    return characterKind[(characterKind.indexOf(character) + characterShift) % characterKind.length]
  })
  return key.slice(0, prefixLength) + replacedBody.join('')
}

/** Finds the end of a prefix such as `sk_live_`. A prefix is ignored if too few characters would remain. */
function findPrefixEnd(key: string): number | undefined {
  const [prefix = ''] = /^(?:[a-z]{1,12}[_.-])+/i.exec(key) ?? []
  const separatorEnds = [...prefix.matchAll(/[_.-]/g)].map(({ index }) => index + 1).reverse()
  return [...separatorEnds, 0].find((end) => key.slice(end).replace(/[^a-z\d]/gi, '').length >= minReplaced)
}
