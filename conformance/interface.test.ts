import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { judge } from './judge/judge.ts'
import { observe } from './judge/observations.ts'
import { groupBySection as reportSections } from './report/statements.ts'
import { catalogue } from './rules/catalogue.ts'
import { buildTranscript } from './testing/recorded.ts'

const page = readFileSync(new URL('interface.md', import.meta.url), 'utf8')

const sections = page
  .split(/^###? /m)
  .slice(1)
  .map((text) => ({
    number: /^(?:\d\.\d|\d)?/.exec(text)?.[0] ?? '',
    anchors: [...text.matchAll(/<a id="([^"]*)">/g)].map(([, id = '']) => id),
  }))
const anchors = sections.flatMap((section) => section.anchors)

describe('interface.md', () => {
  it('names each anchor after its section', () => {
    assert.ok(anchors.length > 100)
    assert.equal(new Set(anchors).size, anchors.length)
    for (const { number, anchors } of sections) {
      const prefix = `s${number.replace('.', '-')}-`
      for (const anchor of anchors) assert.match(anchor, new RegExp(`^${prefix}[a-z][a-z0-9]*(-[a-z0-9]+)*$`))
    }
  })

  it('links to existing anchors', () => {
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

  it("has each rule's statement in the rule's section", () => {
    for (const { id, section, statement } of catalogue) {
      const home = sections.find(({ anchors }) => anchors.includes(statement))
      assert.equal(home?.number, section, `${id} names ${statement}`)
    }
  })

  it('has an open statement for each observation', () => {
    const observations = observe(buildTranscript('all'))
    assert.ok(observations.length > 10)
    for (const { gap, statement } of observations) {
      assert.ok(anchors.includes(statement) && statement.includes('-open-'), gap)
    }
  })

  it('has the section titles that reports show', () => {
    for (const { name } of reportSections(judge(buildTranscript('all')))) {
      const [number = ''] = name.split(' ')
      const heading = new RegExp(`^###? ${number.replace('.', '\\.')}\\.? (.*)$`, 'm').exec(page)?.[1]
      assert.equal(name, `${number} ${heading?.replaceAll('`', '')}`)
    }
  })
})
