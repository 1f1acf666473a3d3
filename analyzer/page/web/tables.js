// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables sort by a click on a title, and long ones have a filter.
'use strict';

const FILTER_FROM = 12;

// Rows that belong to the one above stay below it.
function groupsOf(body) {
  const groups = [];
  for (const row of body.rows) {
    if (row.className === 'sub' && groups.length > 0) groups[groups.length - 1].push(row);
    else groups.push([row]);
  }
  return groups;
}

// Unknown values stand last.
function compareBy(column, isDown) {
  const key = ([row]) => {
    const cell = row.cells[column];
    if (!cell || cell.textContent === '-') return null;
    return 'v' in cell.dataset ? +cell.dataset.v : cell.textContent;
  };
  return (left, right) => {
    const a = key(left), b = key(right);
    if (a === null || b === null) return (a === null) - (b === null);
    const order = typeof a === 'number' && typeof b === 'number' ? a - b
      : String(a).localeCompare(String(b), 'en', { numeric: true });
    return isDown ? -order : order;
  };
}

function sortBy(table, title) {
  const isNumber = title.className === 'n';
  const before = title.getAttribute('aria-sort');
  const isDown = before ? before === 'ascending' : isNumber;
  for (const other of title.parentElement.cells) other.removeAttribute('aria-sort');
  title.setAttribute('aria-sort', isDown ? 'descending' : 'ascending');
  const groups = groupsOf(table.tBodies[0]).sort(compareBy(title.cellIndex, isDown));
  table.tBodies[0].append(...groups.flat());
}

function addSorting(table) {
  for (const title of table.tHead.rows[0].cells) {
    const button = make('button', { type: 'button' }, ...title.childNodes);
    title.append(button);
    button.addEventListener('click', () => sortBy(table, title));
  }
}

function addFilter(table) {
  const input = make('input', { type: 'search', placeholder: 'filter', ariaLabel: 'Filter rows' });
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase();
    for (const group of groupsOf(table.tBodies[0])) {
      const isShown = group.some((row) => row.textContent.toLowerCase().includes(words));
      for (const row of group) row.hidden = !isShown;
    }
  });
  table.parentElement.before(input);
}

function arrangeTables() {
  for (const table of document.querySelectorAll('.wide > table:not(.source)')) {
    if (table.tHead) addSorting(table);
    else table.parentElement.tabIndex = 0;
    if (table.tHead && table.tBodies[0].rows.length >= FILTER_FROM) addFilter(table);
  }
}
