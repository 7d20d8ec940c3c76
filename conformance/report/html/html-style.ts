/** The style sheet of the HTML report: light and dark, narrow and wide, nothing from outside. */
export const htmlStyle = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --line: #dfe3e8; --ink: #1c2128; --soft: #59636e; --code: #f0f2f5; --mark: #ffe1dd; --control: #8b949e; --link: #0756b8;
  --fail: #b3261e; --warn: #8a5a00; --inconclusive: #5b3fa6; --pass: #14703a; --not-applicable: #59636e; --not-run: #59636e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #101418; --card: #181d23; --line: #2f3740; --ink: #e6eaef; --soft: #9aa5b1; --code: #222930; --mark: #5c2622; --control: #6e7781; --link: #7ab4ff;
    --fail: #ff8a80; --warn: #f2bd57; --inconclusive: #b8a2ff; --pass: #6fd694; --not-applicable: #9aa5b1; --not-run: #9aa5b1;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header, main, footer { max-width: 64rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 2rem; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.2rem; }
h3 { margin: 0; font-size: 1rem; }
p { margin: .25rem 0; }
a { color: var(--link); }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { margin: .25rem 0 .75rem; padding: .625rem .75rem; max-height: 24rem; overflow: auto; white-space: pre-wrap;
  background: var(--code); border-radius: 6px; }
.soft, footer { color: var(--soft); font-size: .875rem; }
.target { color: var(--soft); overflow-wrap: anywhere; }
.outcome { margin: 1rem 0; padding: .75rem 1rem; }
.outcome > p { margin: 0; font-weight: 600; }
.causes { margin: .5rem 0 0; padding-left: 1.25rem; overflow-wrap: anywhere; } .causes li { margin: .125rem 0; }
.bar { position: sticky; top: 0; z-index: 1; background: var(--page); border-bottom: 1px solid var(--line); }
.bar > div { max-width: 64rem; margin: 0 auto; padding: .5rem 1rem; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between; font-size: .875rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; }
.filter { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; } .filter[hidden], [hidden] { display: none !important; }
input, select, button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--control); border-radius: 6px; padding: .125rem .5rem; }
input { width: 13rem; max-width: 100%; } output { color: var(--soft); }
button { cursor: pointer; font-size: .8125rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
section, .card, .cause { scroll-margin-top: 6rem; }
.cause { margin: 0 0 1.5rem; padding-left: .75rem; border-left: 4px solid var(--line); }
.cause > h3 { overflow-wrap: anywhere; } .cause > ul { margin: .25rem 0 .75rem; padding-left: 1.25rem; overflow-wrap: anywhere; }
.advice::before { content: '→ '; }
.card h3 .soft { font-weight: 400; } .cause h3 > .soft { font-weight: 400; }
details.card > summary { padding: 0; margin: 0; } details.card summary h3 { display: inline; } details.card[open] > summary { margin-bottom: .25rem; } .card p { overflow-wrap: anywhere; }
mark { color: inherit; background: var(--mark); outline: 1px solid var(--fail); border-radius: 2px; }
.curl { display: flex; gap: .5rem; align-items: start; } .curl pre { flex: 1; min-width: 0; }
.scroll { overflow-x: auto; } .scroll table { table-layout: fixed; } .scroll th:first-child { width: 35%; }
.card, .outcome { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--tone, var(--line)); border-radius: 8px; }
.card { margin: 0 0 .75rem; padding: .75rem 1rem; }
.fail { --tone: var(--fail); } .warn { --tone: var(--warn); } .inconclusive { --tone: var(--inconclusive); } .pass { --tone: var(--pass); }
.not-applicable { --tone: var(--not-applicable); } .not-run { --tone: var(--not-run); }
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .5rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.counts li { padding: .5rem .75rem; color: var(--soft); font-size: .875rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.counts a { display: block; color: inherit; text-decoration: none; } .counts a:hover { text-decoration: underline; }
.top { position: fixed; right: 1rem; bottom: 1rem; padding: .25rem .75rem; background: var(--card); border: 1px solid var(--control); border-radius: 6px; font-size: .875rem; }
#statements p, table { scroll-margin-top: 4rem; }
.counts b { display: block; color: var(--tone); font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.counts .zero b { color: var(--soft); }
.run { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0; color: var(--soft); font-size: .875rem; }
.run div { display: flex; gap: .375rem; } .run dd { color: var(--ink); } dd { margin: 0; overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: .25rem .75rem; margin: .5rem 0 0; }
.facts dt { color: var(--soft); } .facts pre { margin: 0; }
.verdict { color: var(--tone); font-weight: 600; white-space: nowrap; }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
th, td { padding: .5rem .75rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { white-space: nowrap; overflow-wrap: normal; color: var(--soft); font-size: .8125rem; font-weight: 600; border-top: 0; }
tbody th { font-weight: 600; white-space: nowrap; }
caption { padding: 1rem 0 .375rem; text-align: left; font-weight: 600; }
.rules { table-layout: fixed; } .rules th:nth-child(1) { width: 14.5rem; } .rules th:nth-child(2) { width: 10.5rem; }
.rules th .soft { font-weight: 400; }
details { margin: 0 0 .375rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
details > div { padding: 0 .75rem .25rem; scroll-margin-top: 4rem; }
summary { padding: .5rem .75rem; cursor: pointer; overflow-wrap: anywhere; }
details.inline { display: inline; border: 0; background: none; } .inline summary { display: inline; padding: 0; color: var(--link); white-space: nowrap; }
.inline summary::before { content: '▸ '; } .inline[open] summary::before { content: '▾ '; } .inline[open] summary::after { content: ': '; }
summary .soft { margin-left: .5rem; }
footer { padding: 2rem 1rem; }
@media (max-width: 40rem) {
  .rules thead, .scroll thead { position: absolute; clip-path: inset(50%); width: 1px; overflow: hidden; }
  .rules th:nth-child(1), .rules th:nth-child(2) { width: auto; }
  .rules tr { display: flex; flex-wrap: wrap; border-top: 1px solid var(--line); padding: .5rem .75rem; }
  .rules tr > * { border: 0; padding: 0 .75rem 0 0; } .rules tr > :last-child { flex: 0 0 100%; padding: 0; }
  .scroll td { display: block; } .scroll td + td { border: 0; padding-top: 0; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; } .facts dd { margin-bottom: .375rem; }
  header { padding-top: .75rem; } h1 { font-size: 1.25rem; } .outcome { margin: .75rem 0; font-size: .9375rem; }
  .counts { grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); } .counts li { padding: .25rem .5rem; font-size: .8125rem; }
  .counts b { display: inline; margin-right: .25rem; font-size: 1.125rem; }
  .causes .soft { display: none; }
  .bar { position: static; } section, .card, .cause { scroll-margin-top: .5rem; }
  .curl { flex-direction: column; } .curl pre { width: 100%; }
}
@media print { .top { display: none; } body { background: none; } pre { max-height: none; } }
`
