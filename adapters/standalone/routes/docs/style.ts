/** The style sheet of the page: light or dark as the reader prefers, one column on a phone. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f4f5f7; --card: #fff; --sunken: #eef0f3; --line: #d9dde3; --ink: #1c2430; --soft: #566171;
  --accent: #0a6354; --on-accent: #fff; --good: #0a6b3c; --bad: #b3261e;
  --notice: #fff4d9; --notice-line: #d9a21b; --notice-ink: #5c4300;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1318; --card: #181e25; --sunken: #0f1318; --line: #2e3742; --ink: #e5e9ef; --soft: #a5b0be;
    --accent: #63cfbd; --on-accent: #05241f; --good: #74d49d; --bad: #ff9d93;
    --notice: #2c2512; --notice-line: #b98a1c; --notice-ink: #f3d58c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
code, pre, textarea, input, select { font-family: ui-monospace, 'SFMono-Regular', Menlo, Consolas, 'Liberation Mono', monospace; font-size: .9em; }
a { color: var(--accent); text-underline-offset: .3em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.top, main { max-width: 76rem; margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 2rem) 0; }
main { padding-bottom: 3rem; }
.top p { max-width: 46rem; color: var(--soft); margin: .5rem 0; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .75rem; }
h2 { font-size: 1.3rem; line-height: 1.3; margin: 0 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
h4 { font-size: .875rem; margin: 1rem 0 .25rem; color: var(--soft); font-weight: 600; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--card); border-radius: .375rem; }
.skip:focus { top: 1rem; }
.up { position: fixed; right: 1rem; bottom: 1rem; padding: .25rem .75rem; background: var(--card); border: 1px solid var(--soft); border-radius: .375rem; font-size: .875rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; padding: 0; margin: 1rem 0 0; }
nav a { display: inline-block; padding: .25rem 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: clamp(1rem, 3vw, 1.75rem); margin-bottom: 1.25rem; scroll-margin-top: 1rem; }
.tag, .method, .status { display: inline-block; border-radius: .375rem; padding: .05rem .5rem; font-size: .8125rem; font-weight: 600; }
.tag { background: var(--sunken); color: var(--soft); border: 1px solid var(--line); vertical-align: middle; }
.method { background: var(--accent); color: var(--on-accent); letter-spacing: .03em; }
.status { background: var(--sunken); border: 1px solid var(--line); font-variant-numeric: tabular-nums; }
.s2 { color: var(--good); }
.s4, .s5 { color: var(--bad); }
.route { margin: .25rem 0 .75rem; font-size: 1.05rem; }
.notice { background: var(--notice); color: var(--notice-ink); border-left: 4px solid var(--notice-line); border-radius: .375rem; padding: .6rem .9rem; }
dl { margin: .25rem 0 0; }
dl > div { display: grid; grid-template-columns: 13.5rem minmax(0, 1fr); gap: .1rem 1rem; padding: .5rem 0; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
dl > div:first-child { border-top: 0; }
dl > div:target { background: var(--notice); }
dd { margin: 0; min-width: 0; }
.note { display: block; color: var(--soft); }
table { border-collapse: collapse; width: 100%; max-width: 36rem; }
th, td { text-align: right; padding: .5rem .25rem; border-top: 1px solid var(--line); font-variant-numeric: tabular-nums; }
thead th { border-top: 0; color: var(--soft); font-size: .875rem; vertical-align: bottom; }
th:first-child { text-align: left; padding-left: 0; }
label { display: block; font-weight: 600; font-size: .9375rem; margin-bottom: .25rem; }
input, select, textarea { width: 100%; padding: .55rem .65rem; color: inherit; background: var(--card); border: 1px solid var(--soft); border-radius: .375rem; }
textarea { resize: vertical; line-height: 1.5; display: block; }
button { font: inherit; font-weight: 600; padding: .55rem 1.25rem; border: 1px solid var(--accent); border-radius: .375rem; background: var(--accent); color: var(--on-accent); cursor: pointer; }
#show { background: transparent; color: var(--accent); }
.key { display: grid; grid-template-columns: minmax(0, 28rem) auto; gap: 0 .5rem; justify-content: start; }
.key label { grid-column: 1 / -1; }
.try { background: var(--sunken); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; align-self: start; min-width: 0; }
.try h3 { margin-top: 0; }
.field { margin-bottom: .9rem; }
.status-line { margin: .9rem 0 0; font-weight: 600; min-height: 1.55em; }
.status-line[data-ok='true'] { color: var(--good); }
.status-line[data-ok='false'] { color: var(--bad); }
pre { margin: 0; padding: .75rem; background: var(--card); border: 1px solid var(--line); border-radius: .375rem; max-height: 22rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
details { margin-top: .75rem; }
summary { cursor: pointer; font-size: .875rem; font-weight: 600; color: var(--soft); padding: .25rem 0; }
@media (min-width: 60rem) {
  .columns { display: grid; grid-template-columns: minmax(0, 1fr) 26rem; gap: 2rem; }
  .columns > div > h3:first-child { margin-top: 0; }
  .columns dl > div { grid-template-columns: 8rem minmax(0, 1fr); }
}
@media (max-width: 59.99rem) { .columns { display: flex; flex-direction: column; } .try { order: -1; align-self: stretch; } }
@media (max-width: 36rem) { dl > div { grid-template-columns: minmax(0, 1fr); } }
`
