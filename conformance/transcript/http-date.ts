const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const longDay = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'
const month = `(?<month>${months.join('|')})`
const time = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d):(?<second>[0-5]\\d|60)'

/** The three forms that a recipient must accept (RFC 9110, section 5.6.7). */
const forms = [
  new RegExp(`^${day}, (?<date>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT$`),
  new RegExp(`^${longDay}, (?<date>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT$`),
  new RegExp(`^${day} ${month} (?<date>[ \\d]\\d) ${time} (?<year>\\d{4})$`),
]

/** Returns the Unix milliseconds of an HTTP-date; `undefined` for other text. A year of two digits is in this century. */
export function readHttpDate(text: string): number | undefined {
  const parts = forms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined)
  if (parts === undefined) return undefined
  const { year = '', month: name = '', date = '', hour = '', minute = '', second = '' } = parts
  const monthIndex = months.indexOf(name)
  const fullYear = year.length === 2 ? `20${year}` : year
  const ms = Date.UTC(
    Number(fullYear),
    monthIndex,
    Number(date),
    Number(hour),
    Number(minute),
    Number(second),
  )
  return new Date(Date.UTC(Number(fullYear), monthIndex, Number(date))).getUTCDate() === Number(date)
    ? ms
    : undefined
}
