/** Characters that control a terminal, hide or reorder text, or are invalid in XML. */
const unprintablePattern: RegExp = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu

const unprintableInLine: RegExp = new RegExp(`(?!\\n)${unprintablePattern.source}`, 'gu')

/** A build server's log command, such as `##[error]`, `##vso[` or `##teamcity[`. */
const logCommand: RegExp = /##(?=\w*\[)/g
/** A GitHub workflow command, such as `::error::`, at the start of a line or after a space. */
const lineCommand: RegExp = /::(?<=(?:^|\s)::)/g

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeCharacter(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
  return units.map((unit) => `\\u${unit}`).join('')
}

/**
 * Escapes a text for one line of a terminal or CI log. Control characters, invisible characters and log commands are
 * escaped.
 */
export function toPrintable(text: string): string {
  return text
    .replace(unprintablePattern, (character) => shortEscapes[character] ?? escapeCharacter(character))
    .replace(logCommand, '#\\u0023')
    .replace(lineCommand, '\\u003a:')
}

/** Escapes a text like {@link toPrintable}, but keeps its line breaks. */
export function toPrintableLines(text: string): string {
  return text.split(/\r?\n/).map(toPrintable).join('\n')
}

/** Formats a value as indented JSON that is safe to print. Escapes do not change the parsed value. */
export function toPrintableJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(unprintableInLine, escapeCharacter)
    .replace(logCommand, '\\u0023#')
    .replace(lineCommand, '\\u003a:')
}

export const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
