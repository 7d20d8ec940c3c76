import { shorten } from '../transcript/bounds.ts'
import { header, type RecordedResponse, responses } from '../transcript/responses.ts'
import type { Transcript } from '../transcript/transcript.ts'
import { everyRule, type FaultKind, shownBy, type Words } from './cause.ts'

/** The most characters of an address in a title. */
const mostOfAddress = 200

/** Every response leads to another place. The suite follows no redirect. */
export const redirectFault: FaultKind = {
  id: 'redirect',
  find(transcript) {
    const all = responses(transcript)
    const places = all.map((recorded) => placeOf(transcript, recorded))
    const [place] = places
    if (place === undefined || places.includes(undefined)) return undefined
    const bases = new Set(places.map((each) => each?.base))
    const [base] = bases
    return shownBy(all, () => ({
      ...(bases.size === 1 && base !== undefined ? toBase(transcript, base) : toPage(place)),
      explains: everyRule,
    }))
  },
}

/** Where a response leads, and the base address under which the same path leads there. */
interface Place {
  readonly target: string
  readonly base: string | undefined
  /** Whether the path differs only by a slash at its end. */
  readonly hasSlash: boolean
}

function placeOf({ baseUrl }: Transcript, { exchange, response }: RecordedResponse): Place | undefined {
  const location = header(response, 'location')
  if (response.status < 300 || response.status > 399 || location === undefined) return undefined
  const sent = baseUrl + exchange.request.target
  if (!URL.canParse(location, sent)) {
    return { target: shorten(location, mostOfAddress), base: undefined, hasSlash: false }
  }
  const target = shorten(new URL(location, sent).href, mostOfAddress)
  const [path = '', whole = ''] = [exchange.request.target, target].map((text) => text.replace(/[?#].*$/, ''))
  return {
    target,
    base: whole.endsWith(path) ? whole.slice(0, -path.length) : undefined,
    hasSlash: whole.endsWith(`${path}/`),
  }
}

function toBase({ baseUrl }: Transcript, base: string): Words {
  return base === baseUrl
    ? {
        title: 'Every response redirects to the same address again',
        advice: 'look for a rule of the server, or of a proxy in front of it, that redirects in a circle',
      }
    : { title: `Every response redirects to ${base}`, advice: `use ${base} as the base address` }
}

function toPage({ target, hasSlash }: Place): Words {
  return hasSlash
    ? {
        title: `Every response redirects to its path with a slash at the end, such as ${target}`,
        advice: 'serve the paths of the interface, which have no slash at the end',
      }
    : {
        title: `Every response redirects to ${target}`,
        advice: 'if it is a login page, use the address at which the API itself is served',
      }
}
