import type { PetService } from '../../../core/index.ts'
import { ask } from '../../../core/testing/service-request.ts'
import { judge, type Tally } from './judge.ts'
import { message } from './messages.ts'
import type { Random } from './random.ts'

const clients = [undefined, '', 'a-socket', '127.0.0.1', '::1', '::ffff:10.0.0.1', '1.2.3.4.5']
const versions = [undefined, '1.0', '1.1']

/** Passes `count` requests to the service, as a mount does that has parsed them. */
export async function fuzzCore(
  service: PetService,
  random: Random,
  count: number,
  tally: Tally,
): Promise<void> {
  for (let i = 0; i < count; i++) {
    const request = { ...message(random), httpVersion: random.pick(versions), client: random.pick(clients) }
    try {
      service.owns(request.target)
      judge(await ask(service, request), tally)
    } catch (cause) {
      throw new Error(
        `core failed on ${JSON.stringify({ ...request, body: Buffer.from(request.body).toString('latin1') })}`,
        { cause },
      )
    }
  }
}
