/**
 * The script of the HTML report. It adds what a page without scripts lacks: a filter, buttons that copy commands, and
 * unfolding of the exchange that a link leads to. It reads nothing but the page, and everything is readable without it.
 */
export const htmlScript = `
'use strict';
const all = (selector) => [...document.querySelectorAll(selector)];
const bar = document.querySelector('.filter');
const text = document.getElementById('filter-text');
const verdict = document.getElementById('filter-verdict');
const count = document.getElementById('filter-count');
const items = all('[data-verdict]').map((element) => ({ element, words: element.textContent.toLowerCase() }));
const filter = () => {
  const wanted = text.value.trim().toLowerCase();
  let shown = 0;
  for (const { element, words } of items) {
    const isShown = (verdict.value === '' || element.dataset.verdict === verdict.value) && words.includes(wanted);
    element.hidden = !isShown;
    if (isShown && element.tagName === 'TR') shown += 1;
  }
  for (const table of all('table.rules')) table.hidden = !table.querySelector('tbody tr:not([hidden])');
  const rows = items.filter(({ element }) => element.tagName === 'TR').length;
  count.textContent = shown === rows ? rows + ' rules' : shown + ' of ' + rows + ' rules';
};
text.addEventListener('input', filter);
verdict.addEventListener('change', filter);
for (const link of all('[data-show]')) {
  link.addEventListener('click', () => { verdict.value = link.dataset.show; filter(); });
}
filter();
bar.hidden = false;
for (const pre of all('.curl pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy the command');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(pre.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(pre);
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
  pre.after(button);
}
const unfold = () => {
  const target = document.getElementById(location.hash.slice(1));
  const folded = target && target.closest('details');
  if (folded) { folded.open = true; target.scrollIntoView(); }
};
addEventListener('hashchange', unfold);
unfold();
`
