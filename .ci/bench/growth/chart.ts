import {
  type GrowthOperationId,
  type GrowthPoint,
  growthOperations,
  operationIds,
  type StorageId,
  storageIds,
  storages,
} from './operations.ts'
import { type LogScale, logScale, powerText, ticksOf } from './scale.ts'

/** The size of the whole and of a panel, in pixels. */
const chart = { columns: 4, panelWidth: 240, panelHeight: 236, legendHeight: 44 } as const
/** The plot within its panel. */
const plot = { left: 52, right: 228, top: 30, bottom: 186 } as const

/** How each storage looks: by color and by shape, for readers who see no difference between the colors. */
const looks: Readonly<Record<StorageId, { readonly dashes: string; marker(x: number, y: number): string }>> =
  {
    memory: { dashes: '', marker: (x, y) => `<circle cx="${x}" cy="${y}" r="3.5"/>` },
    sqlite: { dashes: '6 3', marker: (x, y) => `<rect x="${x - 3}" y="${y - 3}" width="6" height="6"/>` },
    postgres: {
      dashes: '2 3',
      marker: (x, y) => `<path d="M${x} ${y - 4.5}l4.5 8h-9z"/>`,
    },
  }

/** Colors with a contrast of at least 4.5 to the page, for light pages and for dark ones. */
const style = `
  text { font: 12px system-ui, sans-serif; fill: #57606a }
  .title { font-weight: 600; fill: #24292f }
  .grid { stroke: #d0d7de }
  .linear { stroke: #57606a; stroke-dasharray: 1 3 }
  .line { fill: none; stroke-width: 2 }
  .memory { stroke: #0969da } .memory.marker { fill: #0969da }
  .sqlite { stroke: #bc4c00 } .sqlite.marker { fill: #bc4c00 }
  .postgres { stroke: #1a7f37 } .postgres.marker { fill: #1a7f37 }
  .marker { stroke: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1 }
    .title { fill: #f0f6fc }
    .grid { stroke: #3d444d }
    .linear { stroke: #9198a1 }
    .memory { stroke: #4493f8 } .memory.marker { fill: #4493f8 }
    .sqlite { stroke: #db6d28 } .sqlite.marker { fill: #db6d28 }
    .postgres { stroke: #3fb950 } .postgres.marker { fill: #3fb950 }
    .marker { stroke: none }
  }`

/**
 * Draws the cost of each operation against the number of animals or keys: a panel for each operation, a line for each storage,
 * both axes logarithmic. All panels in µs have one scale.
 */
export function growthChart(points: readonly GrowthPoint[]): string {
  const operations = operationIds.filter((id) => points.some(({ operation }) => operation === id))
  const rows = Math.ceil(operations.length / chart.columns)
  const width = chart.columns * chart.panelWidth
  const height = rows * chart.panelHeight + chart.legendHeight
  const x = logScale(
    points.map(({ size }) => size),
    plot.left,
    plot.right,
  )
  const panels = operations.map((operation, i) => {
    const left = (i % chart.columns) * chart.panelWidth
    const top = Math.floor(i / chart.columns) * chart.panelHeight + chart.legendHeight
    return `<g transform="translate(${left} ${top})">${panelOf(operation, points, x)}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">
<title id="title">Cost of each operation against the number of animals</title>
<desc id="description">${descriptionOf(operations, x)}</desc>
<style>${style}
</style>
${legend()}
${panels.join('\n')}
</svg>
`
}

function descriptionOf(operations: readonly GrowthOperationId[], x: LogScale): string {
  const titles = operations.map((id) => growthOperations[id].title).join('; ')
  return `Charts with logarithmic axes, from ${powerText(x.from)} to ${powerText(x.to)} animals or keys: ${titles}. The table below has the figures.`
}

function legend(): string {
  const entries = storageIds.map((storage, i) => {
    const x = plot.left + i * 135
    return `${line(storage, [`${x} 18`, `${x + 34} 18`])}${markers(storage, [[x + 17, 18]])}<text x="${x + 42}" y="22">${storages[storage].title}</text>`
  })
  const x = plot.left + storageIds.length * 135
  return [
    ...entries,
    `<path class="linear" d="M${x} 18H${x + 34}"/><text x="${x + 42}" y="22">ten times the cost for ten times as many</text>`,
  ].join('\n')
}

function panelOf(operation: GrowthOperationId, points: readonly GrowthPoint[], x: LogScale): string {
  const { title, unit } = growthOperations[operation]
  const sharesScale = ({ operation: other }: GrowthPoint) => growthOperations[other].unit === unit
  const y = logScale(
    points.filter(sharesScale).map(({ value }) => value),
    plot.bottom,
    plot.top,
  )
  const lines = storageIds.flatMap((storage) => {
    const places = points
      .filter((point) => point.operation === operation && point.storage === storage)
      .sort((a, b) => a.size - b.size)
      .map(({ size, value }) => [round(x.at(size)), round(y.at(value))] as const)
    if (places.length === 0) return []
    return [
      line(
        storage,
        places.map((place) => place.join(' ')),
      ),
      markers(storage, places),
    ]
  })
  return [
    `<text class="title" x="${plot.left}" y="16">${title}</text>`,
    ...axes(x, y, unit),
    linearGrowth(x, y),
    ...lines,
  ].join('\n')
}

function axes(x: LogScale, y: LogScale, unit: string): string[] {
  return [
    ...ticksOf(x).map((power) => {
      const at = round(x.at(10 ** power))
      return `<path class="grid" d="M${at} ${plot.top}V${plot.bottom}"/><text x="${at}" y="${plot.bottom + 16}" text-anchor="middle">${powerText(power)}</text>`
    }),
    ...ticksOf(y).map((power) => {
      const at = round(y.at(10 ** power))
      return `<path class="grid" d="M${plot.left} ${at}H${plot.right}"/><text x="${plot.left - 6}" y="${at + 4}" text-anchor="end">${powerText(power)}</text>`
    }),
    `<text x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 34}" text-anchor="middle">animals or keys</text>`,
    `<text transform="translate(14 ${(plot.top + plot.bottom) / 2}) rotate(-90)" text-anchor="middle">${unit}</text>`,
  ]
}

/** A line of slope one from the lower left corner, for comparison. */
function linearGrowth(x: LogScale, y: LogScale): string {
  const decades = Math.min(x.to - x.from, y.to - y.from)
  return `<path class="linear" d="M${plot.left} ${plot.bottom}L${round(x.at(10 ** (x.from + decades)))} ${round(y.at(10 ** (y.from + decades)))}"/>`
}

function line(storage: StorageId, places: readonly string[]): string {
  const { dashes } = looks[storage]
  return `<path class="line ${storage}"${dashes && ` stroke-dasharray="${dashes}"`} d="M${places.join('L')}"/>`
}

function markers(storage: StorageId, places: readonly (readonly [number, number])[]): string {
  return `<g class="marker ${storage}">${places.map(([x, y]) => looks[storage].marker(x, y)).join('')}</g>`
}

function round(coordinate: number): number {
  return Math.round(coordinate * 10) / 10
}
