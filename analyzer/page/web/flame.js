// SPDX-License-Identifier: GPL-3.0-or-later
//
// Flame graphs, callers above: a tree of the data merged over its threads, or of one, or turned
// round; only what is wide enough to be seen is drawn.
'use strict';

const THREAD = 2, ROW = 19, ROWS_MOST = 40, AROUND_MOST = 3;

// ---- trees ---------------------------------------------------------------------------------

// A tree in columns: node 0 is the root.  `source` is where in the data a node was first.
class Tree {
  constructor() {
    this.source = [-1];
    this.frame = [-1];
    this.parent = [-1];
    this.value = [0];
    this.children = [[]];
    this.index = [new Map()];
  }

  // The node of a frame inside of another, made where it is not there.
  enter(parent, frame, source) {
    let node = this.index[parent].get(frame);
    if (node === undefined) {
      node = this.frame.length;
      this.frame.push(frame);
      this.source.push(source);
      this.parent.push(parent);
      this.value.push(0);
      this.children.push([]);
      this.index.push(new Map());
      this.index[parent].set(frame, node);
      this.children[parent].push(node);
    }
    return node;
  }

  own(node) {
    let rest = this.value[node];
    for (const child of this.children[node]) rest -= this.value[child];
    return Math.max(0, rest);
  }

  // The largest first.
  finish() {
    for (const list of this.children) list.sort((a, b) => this.value[b] - this.value[a] || a - b);
    return this;
  }
}

// Nodes of the data stand behind their callers.
function merge(set, values, thread) {
  const tree = new Tree(), place = new Int32Array(set.frame.length);
  for (let i = 0; i < set.frame.length; i++) {
    const parent = set.parent[i], frame = set.frame[i];
    const above = parent < 0 ? (thread < 0 ? 0 : -1) : place[parent];
    if (set.frames[frame][2] === THREAD) {
      place[i] = thread < 0 || frame === thread ? 0 : -1;
      if (place[i] === 0) tree.value[0] += values[i];
      continue;
    }
    place[i] = above;
    if (above < 0 || values[i] <= 0) continue;
    place[i] = tree.enter(above, frame, i);
    tree.value[place[i]] += values[i];
    if (parent < 0) tree.value[0] += values[i];
  }
  return tree.finish();
}

function invert(from) {
  const tree = new Tree();
  for (let node = 1; node < from.frame.length; node++) {
    const own = from.own(node);
    if (own <= 0) continue;
    let at = 0;
    tree.value[0] += own;
    for (let up = node; up > 0; up = from.parent[up]) {
      at = tree.enter(at, from.frame[up], -1);
      tree.value[at] += own;
    }
  }
  return tree.finish();
}

// ---- the chart -----------------------------------------------------------------------------

// By kind: light enough for dark letters, apart for the colour-blind, too.
const FILLS = ['#9cc3e6', '#f2d675', '#b8bec6', '#8fd3b6', '#dcaed0', '#f0b184'];

function kindOf(frame) {
  return /^(aten|torch|c10)::/.test(frame[0]) && frame[2] === 0 ? 4 : frame[2];
}

// By verdicts.def: what a comparison says of a frame.
const VERDICTS = [
  ['#c4cad1', 'cannot tell'], ['#e58a4f', 'certainly slower'], ['#5fa8dc', 'certainly faster'],
  ['#e3b7d4', 'only in the compared runs'], ['#b9b2e6', 'only in the base runs'],
  ['#e2dcae', 'differs in these runs']];

// Of sides each is compared with the first: its own widths show what is new, and those of the first
// what is gone.
function choicesOf(set) {
  if (!set.sides) return set.weights.map((weight) => ({ set, weight, name: weight.name }));
  return set.sides.flatMap((name, side) => side === 0 ? [] : [side, 0].map((of) => ({ set, side,
    weight: set.weights[of],
    name: `${name} against ${set.sides[0]}, by the processor time of ${set.sides[of]}` })));
}

class Flame {
  constructor(box, sets) {
    this.sets = sets.filter((set) => set.weights.length > 0);
    if (this.sets.length === 0) return;
    this.box = box;
    this.choices = this.sets.flatMap(choicesOf);
    this.build();
    this.read();
    box.hidden = false;
    this.draw = this.draw.bind(this);
    this.later = redrawWith(this.draw);
    this.update();
  }

  // ---- elements ----

  build() {
    this.weight = make('select', { ariaLabel: 'Weight' }, ...this.choices.map((choice, i) =>
      make('option', { value: i }, choice.name + (choice.set === this.sets[0] ? '' : ', by ' + choice.set.name))));
    this.thread = make('select', { ariaLabel: 'Thread' });
    this.search = make('input', { type: 'search', placeholder: 'search', ariaLabel: 'Search' });
    this.turned = make('input', { type: 'checkbox' });
    this.reset = make('button', { type: 'button', disabled: true }, 'whole');
    this.found = make('span', { className: 'note' });
    this.canvas = make('canvas', { tabIndex: 0 });
    this.canvas.setAttribute('role', 'img');
    this.info = make('p', { className: 'note info' });
    this.info.setAttribute('aria-live', 'polite');
    this.box.append(
      make('div', { className: 'controls' }, this.weight, this.thread, this.search,
        make('label', {}, this.turned, ' callees first'), this.reset, this.found),
      make('div', {}, this.canvas), this.info);
    this.listen();
  }

  listen() {
    for (const control of [this.weight, this.thread, this.turned]) {
      control.addEventListener('change', () => { this.zoomed = 0; this.update(); });
    }
    this.search.addEventListener('input', () => { this.draw(); this.keep(); });
    this.reset.addEventListener('click', () => this.zoom(0));
    this.canvas.addEventListener('mousemove', (event) => this.point(this.hit(event)));
    this.canvas.addEventListener('mouseleave', () => this.point(-1));
    this.canvas.addEventListener('click', (event) => {
      const node = this.hit(event);
      if (node >= 0) this.zoom(node);
    });
    this.canvas.addEventListener('keydown', (event) => this.press(event));
  }

  // ---- the view ----

  read() {
    const view = viewOf('flame');
    this.weight.value = this.choices[view.get('weight')] ? view.get('weight') : 0;
    this.search.value = view.get('search') || '';
    this.turned.checked = view.has('turned');
    this.wanted = view.get('thread');
    this.path = view.get('zoom');
  }

  keep() {
    const path = [];
    for (let node = this.zoomed; node > 0; node = this.tree.parent[node]) {
      path.unshift(this.tree.children[this.tree.parent[node]].indexOf(node));
    }
    keepView('flame', {
      weight: +this.weight.value || '', thread: this.thread.value, search: this.search.value,
      turned: this.turned.checked, zoom: path.join('.'),
    });
  }

  fillThreads(set) {
    const old = this.wanted || this.thread.value;
    const threads = set.frames.map((frame, i) => [frame[0], i]).filter(([, i]) =>
      set.frames[i][2] === THREAD);
    this.thread.replaceChildren(make('option', { value: '' },
      set.frames.some((frame) => frame[2] === THREAD && frame[1] === 'process') ? 'all processes' : 'all threads'),
      ...threads.map(([name, i]) => make('option', { value: i }, name)));
    this.thread.value = threads.some(([, i]) => String(i) === old) ? old : '';
    this.thread.hidden = threads.length < 2;
    this.wanted = null;
  }

  // Makes the tree of what the controls say.
  update() {
    const { set, weight, side } = this.choices[this.weight.value];
    this.side = side;
    this.fillThreads(set);
    const thread = this.thread.value === '' ? -1 : +this.thread.value;
    const whole = merge(set, weight.value, thread);
    this.set = set;
    this.unit = weight.unit;
    this.tree = this.turned.checked ? invert(whole) : whole;
    this.zoomed = 0;
    for (const step of this.path ? this.path.split('.') : []) {
      this.zoomed = this.tree.children[this.zoomed][step] || this.zoomed;
    }
    const isOpened = this.path;
    this.path = null;
    this.cursor = this.zoomed;
    this.draw();
    if (this.isShown && !isOpened) this.keep();
    this.isShown = true;
  }

  zoom(node) {
    this.zoomed = this.cursor = node;
    this.draw();
    this.point(node);
    this.keep();
  }

  // ---- drawing ----

  name(node) {
    return node === 0 ? 'all' : this.set.frames[this.tree.frame[node]][0];
  }

  // The boxes to draw: [node, row, x, width], of rows that are on the canvas.
  layOut(width) {
    const tree = this.tree, boxes = [], around = [];
    for (let up = this.zoomed; up >= 0; up = tree.parent[up]) around.unshift(up);
    const shown = around.slice(-AROUND_MOST);
    shown.forEach((node, row) => boxes.push([node, row, 0, width]));
    const start = shown.length, rest = [[this.zoomed, start, 0, width]];
    this.deeper = 0;
    while (rest.length > 0) {
      const [node, row, x, room] = rest.pop();
      const step = room / tree.value[node];
      let at = x;
      if (row >= ROWS_MOST) { this.deeper += tree.children[node].length; continue; }
      for (const child of tree.children[node]) {
        const wide = tree.value[child] * step;
        if (wide < 0.4) break;
        boxes.push([child, row, at, wide]);
        if (tree.children[child].length > 0) rest.push([child, row + 1, at, wide]);
        at += wide;
      }
    }
    return boxes;
  }

  draw() {
    const width = this.box.clientWidth;
    if (!this.tree || width === 0) return;
    const boxes = this.layOut(width);
    const rows = 1 + boxes.reduce((most, box) => Math.max(most, box[1]), 0);
    const context = fit(this.canvas, rows * ROW);
    const words = this.search.value.toLowerCase();
    const isFound = this.markFound(words);
    this.boxes = boxes;
    for (const box of boxes) this.drawBox(context, box, words && !isFound[this.tree.frame[box[0]]]);
    this.drawCursor(context);
    this.reset.disabled = this.zoomed === 0;
    this.tell(words, isFound);
  }

  drawBox(context, [node, row, x, width], isDim) {
    const frame = node > 0 ? this.set.frames[this.tree.frame[node]] : ['', '', THREAD];
    context.fillStyle = this.set.sides ? VERDICTS[this.verdict(node)][0] : FILLS[kindOf(frame)];
    context.globalAlpha = isDim ? 0.25 : 0.82 + (hash(frame[1] + frame[0]) % 7) * 0.03;
    context.fillRect(x, row * ROW, Math.max(width - 0.6, 0.4), ROW - 1);
    context.globalAlpha = 1;
    const text = clip(context, this.name(node), width - 8);
    if (text) {
      context.fillStyle = isDim ? styleOf('--dim') : '#14171b';
      context.fillText(text, x + 4, row * ROW + ROW / 2);
    }
  }

  drawCursor(context) {
    const box = this.boxes.find(([node]) => node === this.cursor);
    if (!box || document.activeElement !== this.canvas) return;
    context.strokeStyle = styleOf('--fg');
    context.lineWidth = 2;
    context.strokeRect(box[2] + 1, box[1] * ROW + 1, Math.max(box[3] - 2, 1), ROW - 3);
  }

  // Of a tree that is turned round nothing is known.
  verdict(node) {
    const source = this.tree.source[node];
    return source >= 0 ? this.set.verdicts[this.side][source] : 0;
  }

  sayVerdict(node) {
    const source = this.tree.source[node], { sides, weights } = this.set;
    if (!sides || source < 0) return '';
    const times = sides.map((name, i) => `${name} ${format(weights[i].value[source], 'ns')}`);
    const there = sides.filter((name, i) => weights[i].value[source] > 0);
    return `; ${times.join(', ')}: ` + (there.length === 1 ? `only in ${there[0]}`
      : `${sides[this.side]} ${VERDICTS[this.verdict(node)][1]}`);
  }

  markFound(words) {
    return words ? this.set.frames.map((frame) =>
      (frame[0] + ' ' + frame[1]).toLowerCase().includes(words)) : [];
  }

  // Of frames inside of others that were found the outer ones count alone.
  tell(words, isFound) {
    let sum = 0;
    const rest = [0], tree = this.tree;
    while (words && rest.length > 0) {
      const node = rest.pop();
      if (node > 0 && isFound[tree.frame[node]]) sum += tree.value[node];
      else rest.push(...tree.children[node]);
    }
    this.found.textContent = words
      ? `found: ${format(sum, this.unit)}, ${percent(sum, tree.value[0])}` : '';
    this.canvas.setAttribute('aria-label', 'Flame graph of ' +
      this.weight.selectedOptions[0].textContent + '; arrow keys move, Enter zooms');
    this.point(-1);
  }

  // ---- one frame ----

  hit(event) {
    const x = event.offsetX, row = Math.floor(event.offsetY / ROW);
    const box = (this.boxes || []).find((of) => of[1] === row && of[2] <= x && x < of[2] + of[3]);
    return box ? box[0] : -1;
  }

  point(node) {
    const left = this.set.left_out;
    if (node < 0) {
      this.info.textContent = (this.deeper ? 'Deeper frames: zoom in by a click. ' : '') +
        (left ? `${units.count(left)} small frames are part of their callers.` : '') || '\u00a0';
      return;
    }
    const frame = node > 0 ? this.set.frames[this.tree.frame[node]] : ['all', ''];
    const value = this.tree.value[node], whole = this.tree.value[0];
    this.info.textContent = `${frame[0]}${frame[1] ? '  ' + frame[1] : ''}: ` +
      `${format(value, this.unit)}, ${percent(value, whole)} of all; ` +
      `itself ${format(this.tree.own(node), this.unit)}` + this.sayVerdict(node);
  }

  press(event) {
    const tree = this.tree, node = this.cursor, siblings = node > 0
      ? tree.children[tree.parent[node]] : [0];
    const moves = {
      ArrowDown: tree.children[node][0], ArrowUp: tree.parent[node],
      ArrowLeft: siblings[siblings.indexOf(node) - 1],
      ArrowRight: siblings[siblings.indexOf(node) + 1],
    };
    if (event.key in moves) {
      if (moves[event.key] >= 0) this.cursor = moves[event.key];
      this.draw();
      this.point(this.cursor);
    } else if (event.key === 'Enter') this.zoom(node);
    else if (event.key === 'Escape') this.zoom(0);
    else return;
    event.preventDefault();
  }
}
