import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { judge } from './judge/judge.ts'
import { observe } from './judge/observations.ts'
import { sections as reportSections } from './report/statements.ts'
import { catalogue } from './rules/catalogue.ts'
import { recorded } from './testing/recorded.ts'

const page = readFileSync(new URL('interface.md', import.meta.url), 'utf8')

/** The anchors below each heading that has a number, such as `4.1`. */
const sections = page
  .split(/^###? /m)
  .slice(1)
  .map((text) => ({
    number: /^(?:\d\.\d|\d)?/.exec(text)?.[0] ?? '',
    anchors: [...text.matchAll(/<a id="([^"]*)">/g)].map(([, id = '']) => id),
  }))
const anchors = sections.flatMap((section) => section.anchors)

describe('the interface', () => {
  it('has unique anchors that begin with the number of their section', () => {
    assert.ok(anchors.length > 100)
    assert.equal(new Set(anchors).size, anchors.length)
    for (const { number, anchors } of sections) {
      const prefix = `s${number.replace('.', '-')}-`
      for (const anchor of anchors) assert.match(anchor, new RegExp(`^${prefix}[a-z][a-z0-9]*(-[a-z0-9]+)*$`))
    }
  })

  it('has links that lead to an anchor or a heading', () => {
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    )
    const targets = new Set([...anchors, ...headings])
    const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map(([, target = '']) => target)
    assert.deepEqual(
      links.filter((target) => !targets.has(target)),
      [],
    )
  })

  it('has an anchor for each rule, in its section', () => {
    for (const { id, section, statement } of catalogue) {
      const home = sections.find(({ anchors }) => anchors.includes(statement))
      assert.equal(home?.number, section, `${id} names ${statement}`)
    }
  })

  it('has an open anchor for each observation of a run', () => {
    const observations = observe(recorded('all'))
    assert.ok(observations.length > 10)
    for (const { gap, statement } of observations) {
      assert.ok(anchors.includes(statement) && statement.includes('-open-'), gap)
    }
  })

  it('has the titles of sections that reports print', () => {
    for (const { name } of reportSections(judge(recorded('all')))) {
      const [number = ''] = name.split(' ')
      const heading = new RegExp(`^###? ${number.replace('.', '\\.')}\\.? (.*)$`, 'm').exec(page)?.[1]
      assert.equal(name, `${number} ${heading?.replaceAll('`', '')}`)
    }
  })
})
