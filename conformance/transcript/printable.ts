/**
 * Characters that control a terminal, reorder or hide text, or are invalid in XML: control and format characters, line
 * and paragraph separators, private use, lone surrogates, noncharacters.
 */
const unprintable: RegExp = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu

/** The same characters, except for line feeds. */
const unprintableInLine: RegExp = new RegExp(`(?!\\n)${unprintable.source}`, 'gu')

/** Commands of build servers anywhere in a line of a log: `##[…]`, `##vso[…]` and `##teamcity[…]`. */
const logCommand: RegExp = /##(?=\w*\[)/g
/** Commands of GitHub Actions at the start of a line, after blanks: `::…`. A line break may move text there. */
const lineCommand: RegExp = /::(?<=(?:^|\s)::)/g

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Returns the escape of a character in JSON, such as `\u001b`; beyond U+FFFF, a surrogate pair. */
function escaped(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
  return units.map((unit) => `\\u${unit}`).join('')
}

/** Returns text as one line that is safe on any terminal and in any log. Escapes replace invisible characters. */
export function printable(text: string): string {
  return text
    .replace(unprintable, (character) => shortEscapes[character] ?? escaped(character))
    .replace(logCommand, '#\\u0023')
    .replace(lineCommand, '\\u003a:')
}

/** Returns text that is safe in the same way, with its line feeds. */
export function printableLines(text: string): string {
  return text.split(/\r?\n/).map(printable).join('\n')
}

/** Returns JSON text with the same characters escaped. It parses to the same value. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(unprintableInLine, escaped)
    .replace(logCommand, '\\u0023#')
    .replace(lineCommand, '\\u003a:')
}

/** Returns a count with its noun, such as `1 request` or `2 requests`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
