import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Flood } from '../flood.ts'
import { countOf } from '../scan.ts'
import { head } from '../target.ts'

/** How many guesses one connection sends at once: thousands for each that may be looked up while the address is limited. */
const batch = 500

/** How many rejections there must be before the address is sure to be limited. */
const untilLimited = 1_000

/** How many right keys may be the one of a second that is looked up, by chance. */
const byChance = 1

/** Clients that guess keys from the address of the well-behaved ones. Now and then a guess is right. */
export const guessing: Flood = {
  title: 'key guessing at full speed, 20 guesses right',
  start({ unused, seconds }, crowd) {
    const right = [...unused]
    let answered = 0
    let served = 0
    let isDue = false
    setInterval(
      () => {
        isDue = answered > untilLimited
      },
      (seconds * 1_000) / (unused.length + 2),
    )

    crowd.join({
      count: 8,
      use(socket) {
        const statuses = countOf('HTTP/1.1 ')
        const successes = countOf('HTTP/1.1 200')
        let due = sendBatch(socket)
        socket.on('data', (chunk) => {
          const count = statuses(chunk)
          answered += count
          served += successes(chunk)
          due -= count
          if (due <= 0) due = sendBatch(socket)
        })
      },
    })
    function sendBatch(socket: Socket): number {
      const guesses = Array.from({ length: batch }, () => randomBytes(24).toString('base64url'))
      if (isDue) guesses.push(right.pop() ?? '')
      isDue = false
      socket.write(guesses.map((key) => head('GET /v1/pets?limit=1', key)).join(''))
      return guesses.length
    }

    return () => [
      ...(served > byChance
        ? [`${served} of ${unused.length - right.length} right guesses were served`]
        : []),
      ...(right.length === unused.length ? [`no right guess was sent: only ${answered} were answered`] : []),
    ]
  },
}
