/** Reads the section number from a statement's anchor: `s4-1-limit-maximum` belongs to section `4.1`. */
export function parseSection(statement: string): string {
  const [, chapter = '', part] = /^s(\d+)(?:-(\d+))?-/.exec(statement) ?? []
  return part === undefined ? chapter : `${chapter}.${part}`
}

export function formatStatementLink(statement: string): string {
  return `interface.md#${statement}`
}
