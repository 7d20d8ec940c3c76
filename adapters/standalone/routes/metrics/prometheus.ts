/** The media type of the text format of Prometheus. */
export const mediaType = 'text/plain; version=0.0.4; charset=utf-8'

/** All series of one name. */
export interface Family {
  /** Returns its lines, each with its newline. */
  render(): string
}

/** The values of the labels, in order and from closed sets: each combination is a series until the process ends. */
export type Values = readonly (string | number)[]

export interface Counter extends Family {
  add(...values: Values): void
}

/** Creates a counter of events. The series of `known` values begin at 0, so that the first event shows as an increase. */
export function createCounter(
  name: string,
  help: string,
  labels: readonly string[],
  known: readonly Values[],
): Counter {
  const series = new Map(known.map((values) => [pairs(labels, values), 0]))
  return {
    add(...values) {
      const key = pairs(labels, values)
      series.set(key, (series.get(key) ?? 0) + 1)
    },
    render: () => head(name, help, 'counter') + [...series].map(([key, n]) => line(name, key, n)).join(''),
  }
}

export interface Histogram extends Family {
  observe(value: number, ...values: Values): void
}

/** Creates a histogram, whose buckets have the upper bounds `bounds`, ascending. */
export function createHistogram(
  name: string,
  help: string,
  labels: readonly string[],
  known: readonly Values[],
  bounds: readonly number[],
): Histogram {
  const create = () => ({ counts: [...bounds, Number.POSITIVE_INFINITY].map(() => 0), sum: 0 })
  const series = new Map(known.map((values) => [pairs(labels, values), create()]))
  const ends = [...bounds.map(String), '+Inf']

  function renderOne([key, { counts, sum }]: [string, ReturnType<typeof create>]): string {
    let total = 0
    let text = ''
    for (const [i, count] of counts.entries()) {
      total += count
      text += line(`${name}_bucket`, `${key},le="${ends[i]}"`, total)
    }
    return text + line(`${name}_sum`, key, sum) + line(`${name}_count`, key, total)
  }

  return {
    observe(value, ...values) {
      const key = pairs(labels, values)
      const one = series.get(key) ?? create()
      series.set(key, one)
      const above = bounds.findIndex((bound) => value <= bound)
      const i = above < 0 ? bounds.length : above
      one.counts[i] = (one.counts[i] ?? 0) + 1
      one.sum += value
    },
    render: () => head(name, help, 'histogram') + [...series].map(renderOne).join(''),
  }
}

/** Creates a family of one number, which is read when it is rendered. Where it is undefined, the family is absent. */
export function createReading(
  name: string,
  help: string,
  type: 'gauge' | 'counter',
  read: () => number | undefined,
): Family {
  return {
    render() {
      const value = read()
      return value === undefined ? '' : head(name, help, type) + line(name, '', value)
    },
  }
}

function head(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
}

function line(name: string, labels: string, value: number): string {
  const text = value === Number.POSITIVE_INFINITY ? '+Inf' : value
  return labels === '' ? `${name} ${text}\n` : `${name}{${labels}} ${text}\n`
}

function pairs(labels: readonly string[], values: Values): string {
  return labels.map((label, i) => `${label}="${values[i]}"`).join(',')
}
