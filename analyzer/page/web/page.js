// SPDX-License-Identifier: GPL-3.0-or-later
//
// Starts what the page has.
'use strict';

// What is folded is printed, too.
addEventListener('beforeprint', () => {
  for (const block of document.querySelectorAll('details')) block.open = true;
});

// A link to a folded block unfolds it.
function reveal() {
  const block = byId(location.hash.slice(1).split('?')[0]);
  if (block && block.tagName === 'DETAILS') block.open = true;
  if (block) block.scrollIntoView();
}
addEventListener('hashchange', reveal);

arrangeTables();
for (const [id, Chart] of [['flame', Flame], ['lanes', Timeline], ['job', Job],
  ['owners', Owners]]) {
  if (byId(id)) new Chart(byId(id), dataOf(id));
}
reveal();
