/** A logarithmic axis, between whole powers of ten. */
export interface LogScale {
  /** The powers of its first and its last tick. */
  readonly from: number
  readonly to: number
  /** Returns the coordinate of a value. */
  at(value: number): number
}

/** Creates the scale that covers all of the values, from the coordinate `start` to `end`. */
export function logScale(values: readonly number[], start: number, end: number): LogScale {
  const powers = values.map((value) => Math.log10(value))
  const from = Math.floor(Math.min(...powers))
  const to = Math.max(from + 1, Math.ceil(Math.max(...powers)))
  return { from, to, at: (value) => start + ((Math.log10(value) - from) / (to - from)) * (end - start) }
}

/** Returns the powers of ten of the ticks. */
export function ticksOf({ from, to }: LogScale): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

/** Returns a power of ten as text: `10⁶`. */
export function powerText(power: number): string {
  return `10${String(power).replaceAll(/./g, (character) => superscripts[character] ?? '')}`
}

const superscripts: Readonly<Record<string, string>> = {
  '-': '⁻',
  ...Object.fromEntries([...'⁰¹²³⁴⁵⁶⁷⁸⁹'].map((digit, i) => [String(i), digit])),
}
