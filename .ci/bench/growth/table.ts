import {
  type GrowthOperationId,
  type GrowthPoint,
  growthOperations,
  operationIds,
  type StorageId,
  storageIds,
  storages,
} from './operations.ts'

/** Formats the figures as a Markdown table: a row for each operation of each storage, a column for each size. */
export function growthTable(points: readonly GrowthPoint[]): string {
  const sizes = [...new Set(points.map(({ size }) => size))].sort((a, b) => a - b)
  const rows = operationIds.flatMap((operation) =>
    storageIds.flatMap((storage) => {
      const values = sizes.map((size) => figureOf(points, operation, storage, size))
      if (values.every((value) => value === undefined)) return []
      const { title, unit } = growthOperations[operation]
      const cells = values.map((value) => (value === undefined ? '' : text(value)))
      return [[`${title}, ${unit}`, storages[storage].title, ...cells, factorText(sizes, values)]]
    }),
  )
  const head = ['', '', ...sizes.map((size) => powerText(Math.log10(size))), 'for ten times as many']
  return [head, ['---', '---', ...head.slice(2).map(() => '---:')], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function figureOf(
  points: readonly GrowthPoint[],
  operation: GrowthOperationId,
  storage: StorageId,
  size: number,
): number | undefined {
  return points.find(
    (point) => point.operation === operation && point.storage === storage && point.size === size,
  )?.value
}

/** The factor by which the cost grows from one size to the next, as the mean over all sizes. */
function factorText(sizes: readonly number[], values: readonly (number | undefined)[]): string {
  const known = sizes.flatMap((size, i) => {
    const value = values[i]
    return value === undefined ? [] : [{ size, value }]
  })
  const [first, last] = [known.at(0), known.at(-1)]
  if (!first || !last || first === last) return ''
  const decades = Math.log10(last.size / first.size)
  return `× ${((last.value / first.value) ** (1 / decades)).toFixed(2)}`
}

/** Two significant digits, and all digits before the point. */
function text(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2)
}

/** Returns a power of ten as text: `10⁶`. */
function powerText(power: number): string {
  return `10${'⁰¹²³⁴⁵⁶⁷⁸⁹'[power]}`
}
