import { creations, memberSent } from '../transcript/creations.ts'
import { memberOf } from '../transcript/responses.ts'
import { brokenIn, type FaultKind } from './cause.ts'

/** An int64 that a double cannot represent is returned as the double next to it (section 2). */
export const roundedFault: FaultKind = {
  id: 'rounded-integers',
  find(transcript) {
    const rounded = creations(transcript).flatMap((creation) => {
      const sent = memberSent(creation.exchange, 'categoryId')
      const back = memberOf(creation, 'categoryId')
      return typeof sent === 'bigint' &&
        typeof back === 'bigint' &&
        sent !== back &&
        back === BigInt(Number(sent))
        ? [{ id: creation.id, sent, back }]
        : []
    })
    const [first] = rounded
    if (first === undefined) return undefined
    return {
      title: `Integers pass through a floating-point number: ${first.sent} is returned as ${first.back}`,
      advice: 'parse, store and write 64-bit integers as such; JSON.parse of JavaScript rounds them',
      exchanges: rounded.map(({ id }) => id),
      explains: brokenIn('CREATE-21', 'CREATE-26'),
    }
  },
}
