/**
 * Characters that steer a terminal, reorder or hide text, or that XML cannot hold: control and format
 * characters, line and paragraph separators, private use, lone surrogates, noncharacters.
 */
const unprintable: RegExp = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu

/** What build servers obey wherever it stands in a line of a log: `##[…]`, `##vso[…]` and `##teamcity[…]`. */
const logCommand: RegExp = /##(?=\w*\[)/g
/** What GitHub Actions obey at the start of a line, blanks apart: `::…`. Text may come to stand there when lines break. */
const lineCommand: RegExp = /(?<=^|\s)::/g

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** `\u001b`, the way JSON writes it; past U+FFFF as a surrogate pair. */
function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}

/** One line that is safe on any terminal and in any log: what cannot be seen is shown as an escape. */
export function printable(text: string): string {
  return text
    .replace(unprintable, (character) => shortEscapes[character] ?? escaped(character))
    .replace(logCommand, '#\\u0023')
    .replace(lineCommand, '\\u003a:')
}

/** The same over several lines: line feeds stay. */
export function printableLines(text: string): string {
  return text.split(/\r?\n/).map(printable).join('\n')
}

/** JSON text with the same characters escaped: it still parses to the same value. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(unprintable, (character) => (character === '\n' ? character : escaped(character)))
    .replace(logCommand, '\\u0023#')
    .replace(lineCommand, '\\u003a:')
}
