import type { Flood } from './flood.ts'
import { bigPages } from './floods/big-pages.ts'
import { cutBodies } from './floods/cut-bodies.ts'
import { garbage } from './floods/garbage.ts'
import { guessing } from './floods/guessing.ts'
import { fewDescriptors, idle } from './floods/idle.ts'
import { shapes } from './floods/shapes.ts'
import { slowloris } from './floods/slowloris.ts'
import { drip, unread } from './floods/unread.ts'

export type FloodName =
  | 'unread'
  | 'drip'
  | 'big-pages'
  | 'cut-bodies'
  | 'guessing'
  | 'shapes'
  | 'idle'
  | 'few-descriptors'
  | 'slowloris'
  | 'garbage'

/** Every flood by its name. */
export const floods: Readonly<Record<FloodName, Flood>> = {
  unread,
  drip,
  'big-pages': bigPages,
  'cut-bodies': cutBodies,
  guessing,
  shapes,
  idle,
  'few-descriptors': fewDescriptors,
  slowloris,
  garbage,
}

export const floodNames: readonly FloodName[] = Object.keys(floods) as FloodName[] // the table has no other keys
