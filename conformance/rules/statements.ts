/** Returns the section of a statement of the interface: `s4-1-limit-maximum` is in section `4.1`. */
export function parseSection(statement: string): string {
  const [, chapter = '', part] = /^s(\d+)(?:-(\d+))?-/.exec(statement) ?? []
  return part === undefined ? chapter : `${chapter}.${part}`
}

/** Returns the link to a statement, from the folder `conformance` of the package. */
export function formatStatementLink(statement: string): string {
  return `interface.md#${statement}`
}
