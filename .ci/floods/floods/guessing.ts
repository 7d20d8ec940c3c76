import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Flood } from '../flood.ts'
import { countOf } from '../scan.ts'
import { head } from '../target.ts'

/** How many guesses one connection sends at once: thousands for each lookup that a limited address has. */
const batch = 500

/** After how many responses the address is certainly limited. */
const untilLimited = 1_000

/** How many right keys may by chance be the one key of a second that is looked up. */
const byChance = 1

/** Clients that guess keys from the address of the well-behaved clients. Some guesses are right. */
export const guessing: Flood = {
  title: 'key guessing at full speed, 20 guesses right',
  start({ unused, seconds }, crowd) {
    const right = [...unused]
    let responses = 0
    let served = 0
    let isDue = false
    setInterval(
      () => {
        isDue = responses > untilLimited
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
          responses += count
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
      ...(right.length === unused.length
        ? [`no right guess was sent: only ${responses} responses arrived`]
        : []),
    ]
  },
}
