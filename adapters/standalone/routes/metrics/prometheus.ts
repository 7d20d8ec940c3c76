/** The media type of the text format of Prometheus. */
export const mediaType = 'text/plain; version=0.0.4; charset=utf-8'

/** What all series of one name have in common. */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** The names of its labels. */
  readonly labels: readonly string[]
  readonly help: string
}

/** All series of one name. */
export interface Family {
  /** Returns its lines, each with its newline. */
  render(): string
}

/** The values of the labels, in order and from closed sets: each combination is a series until the process ends. */
export type Values = readonly (string | number)[]

/** A counter's series of one combination of values. */
export interface CounterSeries {
  add(): void
}

export interface Counter extends Family {
  /** Returns the series of these values, from 0. One that counts often is looked up once. */
  series(...values: Values): CounterSeries
}

/** Creates a counter of events. The series of `known` values begin at 0, so that the first event shows as an increase. */
export function createCounter(name: string, metric: Metric, known: readonly Values[]): Counter {
  const { find, render } = createFamily(name, metric, known, () => {
    let count = 0
    return {
      add() {
        count++
      },
      render: (labels: string) => line(name, labels, count),
    }
  })
  return { series: find, render }
}

/** A histogram's series of one combination of values. */
export interface HistogramSeries {
  observe(value: number): void
}

export interface Histogram extends Family {
  /** Returns the series of these values. One that observes often is looked up once. */
  series(...values: Values): HistogramSeries
}

/** Creates a histogram, whose buckets have the upper bounds `bounds`, ascending. */
export function createHistogram(
  name: string,
  metric: Metric,
  known: readonly Values[],
  bounds: readonly number[],
): Histogram {
  const ends = [...bounds.map(String), '+Inf']
  const { find, render } = createFamily(name, metric, known, () => {
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
  return { series: find, render }
}

/** Creates the series of the `known` values, and others when they are first looked up. */
function createFamily<Series extends { render(labels: string): string }>(
  name: string,
  metric: Metric,
  known: readonly Values[],
  create: () => Series,
): Family & { find(...values: Values): Series } {
  const all = new Map(known.map((values) => [pairs(metric.labels, values), create()]))
  return {
    find(...values) {
      const labels = pairs(metric.labels, values)
      const found = all.get(labels) ?? create()
      all.set(labels, found)
      return found
    },
    render: () => head(name, metric) + [...all].map(([labels, series]) => series.render(labels)).join(''),
  }
}

/** The value of a series, with the values of its labels. */
export type Sample = readonly [value: number, ...labels: Values]

/** Returns the value of a metric without labels, or the samples of one with labels; undefined where there is none. */
export type Reading = () => number | undefined | readonly Sample[]

/** Creates a family that is read when it is rendered. Without a value, the family is absent. */
export function createReading(name: string, metric: Metric, read: Reading): Family {
  return {
    render() {
      const value = read()
      if (value === undefined) return ''
      const samples: readonly Sample[] = typeof value === 'number' ? [[value]] : value
      const lines = samples.map(([n, ...labels]) => line(name, pairs(metric.labels, labels), n))
      return head(name, metric) + lines.join('')
    },
  }
}

function head(name: string, { help, type }: Metric): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}

function line(name: string, labels: string, value: number): string {
  const text = value === Number.POSITIVE_INFINITY ? '+Inf' : value
  return labels === '' ? `${name} ${text}\n` : `${name}{${labels}} ${text}\n`
}

function pairs(labels: readonly string[], values: Values): string {
  return labels.map((label, i) => `${label}="${values[i]}"`).join(',')
}
