import { type MetricName, metricTable } from './metric-table.ts'

/** The media type of the text format of Prometheus. */
export const mediaType = 'text/plain; version=0.0.4; charset=utf-8'

/** The values of the labels, in order and from closed sets: each combination is a series until the process ends. */
export type Values = readonly (string | number)[]

/** All series of one name. */
export interface Family {
  /** Returns its lines, each with its newline. */
  render(): string
}

/** A family whose series record events. */
export interface RecordedFamily<Series> extends Family {
  /** Returns the series of these values, from 0. One that records often is looked up once. */
  series(...values: Values): Series
}

/** A counter's series of one combination of values. */
export interface CounterSeries {
  add(): void
}

/** Creates a counter of events. The series of `known` values begin at 0, so that the first event shows as an increase. */
export function createCounter(name: MetricName, known: readonly Values[]): RecordedFamily<CounterSeries> {
  return createFamily(name, known, () => {
    let count = 0
    return {
      add() {
        count++
      },
      render: (labels: string) => line(name, labels, count),
    }
  })
}

/** A histogram's series of one combination of values. */
export interface HistogramSeries {
  observe(value: number): void
}

/** Creates a histogram, whose buckets have the upper bounds `bounds`, ascending. */
export function createHistogram(
  name: MetricName,
  known: readonly Values[],
  bounds: readonly number[],
): RecordedFamily<HistogramSeries> {
  const ends = [...bounds.map(String), '+Inf']
  return createFamily(name, known, () => {
    const counts = ends.map(() => 0)
    let sum = 0
    return {
      observe(value: number) {
        let i = 0
        while (i < bounds.length && value > (bounds[i] ?? 0)) i++
        counts[i] = (counts[i] ?? 0) + 1
        sum += value
      },
      render(labels: string) {
        let total = 0
        let text = ''
        for (const [i, count] of counts.entries()) {
          total += count
          text += line(`${name}_bucket`, `${labels},le="${ends[i]}"`, total)
        }
        return text + line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, total)
      },
    }
  })
}

/** Creates the series of the `known` values, and others when they are first looked up. */
function createFamily<Series extends { render(labels: string): string }>(
  name: MetricName,
  known: readonly Values[],
  create: () => Series,
): RecordedFamily<Series> {
  const all = new Map(known.map((values) => [pairs(name, values), create()]))
  return {
    series(...values) {
      const labels = pairs(name, values)
      const found = all.get(labels) ?? create()
      all.set(labels, found)
      return found
    },
    render: () => head(name) + [...all].map(([labels, series]) => series.render(labels)).join(''),
  }
}

/** The value of a series, with the values of its labels. */
export type Sample = readonly [value: number, ...labels: Values]

/** Returns the value of a metric without labels, or the samples of one with labels; undefined where there is none. */
export type Reading = () => number | undefined | readonly Sample[]

/** Returns the lines of a metric that is read when it is rendered. Without a value, there are none. */
export function renderReading(name: MetricName, read: Reading): string {
  const value = read()
  if (value === undefined) return ''
  const samples: readonly Sample[] = typeof value === 'number' ? [[value]] : value
  return head(name) + samples.map(([n, ...labels]) => line(name, pairs(name, labels), n)).join('')
}

function head(name: MetricName): string {
  const { help, type } = metricTable[name]
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}

function line(name: string, labels: string, value: number): string {
  const text = value === Number.POSITIVE_INFINITY ? '+Inf' : value
  return labels === '' ? `${name} ${text}\n` : `${name}{${labels}} ${text}\n`
}

function pairs(name: MetricName, values: Values): string {
  return metricTable[name].labels.map((label, i) => `${label}="${values[i]}"`).join(',')
}
