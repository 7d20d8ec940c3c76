/** Returns a text for people. Characters that could change a terminal become `?`: anyone may have written the text. */
export function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '?')
}
