/** Breaks text between words into lines of at most so many characters; a longer word has a line of its own. */
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

/** Text that begins `indent` characters into a line and keeps within the columns; its further lines begin there too. */
export function hang(text: string, indent: number, columns: number): string {
  return wrap(text, columns - indent).join(`\n${' '.repeat(indent)}`)
}
