import { pages } from '../transcript/pages.ts'
import { rulesOf } from './define.ts'
import { broken, holds, nothingToJudge } from './judging.ts'
import type { Rule } from './rule.ts'

/** Sections 1 and 9. */
export const verRules: readonly Rule[] = [
  rulesOf('read').must(
    'VER-1',
    's9-version',
    'the path of the base address under which an operation was found has the segment `v1`',
    (transcript) => {
      const [page] = pages(transcript)
      if (page === undefined)
        return nothingToJudge(transcript, 'no operation was found under the base address')
      const { pathname } = new URL(transcript.baseUrl)
      return pathname.split('/').includes('v1')
        ? holds(`listPets was found under ${pathname}`, page.id)
        : broken('a base address with the segment v1 in its path', `listPets under ${pathname}`, page.id)
    },
  ),
]
