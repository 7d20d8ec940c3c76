/** A measured value and its target. */
export interface Figure {
  readonly title: string
  readonly value: number
  readonly unit: string
  readonly target?: { readonly atMost: number } | { readonly atLeast: number }
  /** Further details, such as the spread. */
  readonly note?: string
}

export function isReached({ value, target }: Figure): boolean {
  if (!target) return true
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast
}

/** Formats a figure as one line for the terminal. */
export function line(figure: Figure): string {
  const { title, value, unit, target, note } = figure
  const bound = target && ('atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`)
  const verdict = bound ? `${isReached(figure) ? 'reached' : 'MISSED'} ${bound} ${unit}` : ''
  return [title.padEnd(52), `${number(value)} ${unit}`.padEnd(16), verdict.padEnd(24), note ?? '']
    .join(' ')
    .trimEnd()
}

/** Prints each figure once it is measured. Returns the exit code: 1 if any figure misses its target. */
export async function printAll(figures: AsyncIterable<Figure>): Promise<0 | 1> {
  let code: 0 | 1 = 0
  for await (const figure of figures) {
    process.stdout.write(`${line(figure)}\n`)
    if (!isReached(figure)) code = 1
  }
  return code
}

function number(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en')
  return value.toPrecision(value >= 100 ? 4 : 3)
}
