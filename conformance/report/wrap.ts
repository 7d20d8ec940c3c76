/** Breaks text between words into lines of at most `width` characters. A longer word has its own line. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Wraps text that begins at the column `indent`, which every further line begins at too. */
export function hang(text: string, indent: number, columns: number): string {
  return wrap(text, columns - indent).join(`\n${' '.repeat(indent)}`)
}
