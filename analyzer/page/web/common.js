// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all charts of the page share: their data, numbers for people, elements, and the part of
// the address behind '#', which names a view: #flame?weight=1&search=gemm.
'use strict';

const byId = (id) => document.getElementById(id);

function dataOf(id) {
  const element = byId(id + '-data');
  return element ? JSON.parse(element.textContent) : null;
}

// An element with properties and children.
function make(tag, properties, ...children) {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  element.append(...children);
  return element;
}

const fixed = (number, unit) =>
  (number >= 1000 ? number.toFixed(0) : number.toPrecision(number >= 1 ? 4 : 3)) + ' ' + unit;

function scale(number, step, units) {
  let i = 0;
  while (Math.abs(number) >= step && i + 1 < units.length) { number /= step; i++; }
  return i === 0 && Number.isInteger(number) ? number + ' ' + units[0] : fixed(number, units[i]);
}

const units = {
  ns: (n) => scale(n, 1000, ['ns', '\u00b5s', 'ms', 's']),
  bytes: (n) => scale(n, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB']),
  flops: (n) => scale(n, 1000, ['FLOP', 'kFLOP', 'MFLOP', 'GFLOP', 'TFLOP', 'PFLOP']),
  count: (n) => Math.round(n).toLocaleString('en-US'),
};
const format = (number, unit) => (units[unit] || units.count)(number);
const percent = (part, whole) => (whole > 0 ? (100 * part / whole).toFixed(1) + ' %' : '-');

function styleOf(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

// ---- views in the address ------------------------------------------------------------------

function viewOf(id) {
  const [name, query] = location.hash.slice(1).split('?');
  return new URLSearchParams(name === id ? query || '' : '');
}

// Empty values are left out, so that the usual view is '#id' alone.
function keepView(id, values) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== '' && value !== null && value !== undefined && value !== false) {
      query.set(key, value === true ? '1' : value);
    }
  }
  const text = query.toString();
  history.replaceState(null, '', '#' + id + (text ? '?' + text : ''));
}

// ---- canvas --------------------------------------------------------------------------------

// Gives a canvas the pixels of its place, empty ones.  Returns its context, in units of CSS.  A new
// size takes new memory, which a zoom can do without.
function fit(canvas, height) {
  const ratio = window.devicePixelRatio || 1, width = canvas.parentElement.clientWidth;
  const pixels = [Math.round(width * ratio), Math.round(height * ratio)];
  const context = canvas.getContext('2d');
  if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) {
    canvas.style.width = width + 'px';
    canvas.style.height = height + 'px';
    [canvas.width, canvas.height] = pixels;
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, pixels[0], pixels[1]);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  return context;
}

// The text's begin that fits; most letters are narrower than the seven of these pixels.
function clip(context, text, width) {
  if (width < 20) return '';
  if (text.length * 7 <= width || context.measureText(text).width <= width) return text;
  let keep = Math.floor(text.length * width / context.measureText(text).width);
  while (keep > 0 && context.measureText(text.slice(0, keep) + '\u2026').width > width) keep--;
  return keep > 1 ? text.slice(0, keep) + '\u2026' : '';
}

function hash(text) {
  let value = 0;
  for (let i = 0; i < text.length; i++) value = (value * 31 + text.charCodeAt(i)) | 0;
  return value >>> 0;
}

// Draws again when the size or the colours of the page change.
function redrawWith(draw) {
  let waiting = false;
  const later = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  };
  addEventListener('resize', later);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', later);
  return later;
}
