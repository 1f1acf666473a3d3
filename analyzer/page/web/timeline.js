// SPDX-License-Identifier: GPL-3.0-or-later
//
// The timeline: a lane for what each queue of a device and each thread did of a kind, and below, on
// the same axis, what the process used.  A drag zooms in, Escape shows all.
'use strict';

const LANE = 16, AXIS = 22, GRAPH = 56, LANES_MOST = 60;

const LANE_FILLS = { regions: '#8fd3b6', ops: '#a9c3f0', kernels: '#f0b184', waits: '#b8bec6',
  spans: '#d9b8e8', commands: '#e8a0a0', queued: '#dfe3c8', process: '#cfd8e3' };

// A thread with a hole has a lane, even where none of its marks is left.
function emptyLanes(data) {
  const threads = new Set(data.gaps.filter((gap) => gap.thread !== undefined).map((gap) => gap.thread));
  for (const lane of data.lanes) threads.delete(lane.thread);
  return [...threads].map((thread) =>
    ({ thread, kind: 'records', whole: 0, step: [], length: [], name: [], count: [], busy: [] }));
}

// A queue of a device is no thread.
const isOfOne = (lane, other) => lane.thread === other.thread && lane.queue === other.queue;

const ownerOf = (data, lane) =>
  lane.queue === undefined ? data.threads[lane.thread].id : data.queues[lane.queue];

// Starts come as steps from the one before.
function unpackLane(lane) {
  let at = 0;
  lane.start = Float64Array.from(lane.step, (step) => (at += step));
  lane.longest = lane.length.reduce((most, length) => Math.max(most, length), 0);
  return lane;
}

// The first index whose start is not before a time.
function search(starts, time) {
  let low = 0, high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] < time) low = middle + 1; else high = middle;
  }
  return low;
}

// Sums become what was used of them each second between two readings.
function ratesOf(times, sums, scaleBy) {
  return sums.map((sum, i) => {
    const passed = i > 0 ? times[i] - times[i - 1] : 0;
    return passed > 0 && sum !== null && sums[i - 1] !== null
      ? (sum - sums[i - 1]) / passed * scaleBy : null;
  });
}

const mostOf = (graph) => Math.max(...graph.values.filter((value) => value !== null));

class Timeline {
  // Of several that share an axis `showAll` zooms all.
  constructor(box, data, showAll) {
    this.showAll = showAll;
    if (!data || data.lanes.length + data.readings.time.length === 0 || !(data.wall > 0)) return;
    this.box = box;
    this.data = data;
    this.lanes = [...data.lanes, ...emptyLanes(data)].slice(0, LANES_MOST).map(unpackLane);
    this.graphs = this.chooseGraphs();
    this.build();
    const view = viewOf(showAll ? 'job' : 'lanes');
    this.from = Math.max(0, +view.get('from') || 0);
    this.to = Math.min(data.wall, +view.get('to') || data.wall);
    if (!(this.to > this.from)) { this.from = 0; this.to = data.wall; }
    box.hidden = false;
    this.later = redrawWith(() => this.draw());
    this.draw();
  }

  chooseGraphs() {
    const { time, rss, heap, cpu, disk } = this.data.readings;
    return [
      { name: 'resident', unit: 'bytes', values: rss },
      { name: 'live heap', unit: 'bytes', values: heap },
      { name: 'processors in use', unit: 'real', values: ratesOf(time, cpu, 1), isRate: true },
      { name: 'disk, each second', unit: 'bytes', values: ratesOf(time, disk, 1e9), isRate: true },
      ...(this.data.deviceReadings || []),
    ].filter((graph) => graph.values.some((value) => value > 0));
  }

  build() {
    this.canvas = make('canvas', { tabIndex: 0 });
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label',
      'Timeline of threads; plus and minus zoom, arrow keys move, Escape shows all');
    this.info = make('p', { className: 'note info' });
    this.info.setAttribute('aria-live', 'polite');
    const button = (text, act) => {
      const element = make('button', { type: 'button' }, text);
      element.addEventListener('click', act);
      return element;
    };
    this.box.append(make('div', { className: 'controls', hidden: Boolean(this.showAll) },
      button('zoom in', () => this.zoomBy(0.5)), button('zoom out', () => this.zoomBy(2)),
      button('whole', () => this.show(0, this.data.wall)),
      make('span', { className: 'note' }, 'Drag to zoom. ' + this.sayThinned())),
    make('div', {}, this.canvas), ...gapLegend(this.data.gaps), this.info);
    this.listen();
  }

  sayThinned() {
    const whole = this.data.lanes.reduce((sum, lane) => sum + lane.whole, 0);
    const shown = this.data.lanes.reduce((sum, lane) => sum + lane.step.length, 0);
    const left = this.data.lanes.length - this.lanes.length;
    const { opsLeftOut, opsLeast, stepsEach } = this.data;
    return (opsLeftOut > 0 ? `${units.count(opsLeftOut)} ops shorter than ` +
      `${format(opsLeast, 'ns')} are left out. ` : '') +
      (stepsEach > 1 ? `Of ${stepsEach} steps one is marked. ` : '') + (shown < whole ? `${units.count(whole)} calls in ${units.count(shown)} marks: ` +
      'short ones stand together. ' : '') + (left > 0 ? `${left} more lanes are not drawn.` : '');
  }

  listen() {
    const canvas = this.canvas;
    canvas.addEventListener('mousedown', (event) => { this.dragged = event.offsetX; });
    canvas.addEventListener('mousemove', (event) => {
      if (this.dragged !== undefined && event.buttons) this.drawDrag(event.offsetX);
      else this.point(event);
    });
    canvas.addEventListener('mouseup', (event) => {
      const [a, b] = [this.dragged, event.offsetX].sort((x, y) => x - y);
      this.dragged = undefined;
      if (b - a > 4) this.show(this.timeAt(a), this.timeAt(b));
    });
    canvas.addEventListener('dblclick', () => this.show(0, this.data.wall));
    canvas.addEventListener('keydown', (event) => this.press(event));
  }

  press(event) {
    const step = (this.to - this.from) / 5;
    const acts = {
      '+': () => this.zoomBy(0.5), '=': () => this.zoomBy(0.5), '-': () => this.zoomBy(2),
      ArrowLeft: () => this.move(-step), ArrowRight: () => this.move(step),
      Escape: () => this.show(0, this.data.wall),
    };
    if (!acts[event.key]) return;
    acts[event.key]();
    event.preventDefault();
  }

  zoomBy(factor) {
    const middle = (this.from + this.to) / 2, half = (this.to - this.from) * factor / 2;
    this.show(middle - half, middle + half);
  }

  move(step) {
    const by = Math.max(-this.from, Math.min(step, this.data.wall - this.to));
    this.show(this.from + by, this.to + by);
  }

  show(from, to) {
    if (this.showAll) this.showAll(from, to);
    else this.showAlone(from, to);
  }

  showAlone(from, to) {
    this.from = Math.max(0, from);
    this.to = Math.max(this.from + 10, Math.min(this.data.wall, to));
    const isWhole = this.from === 0 && this.to === this.data.wall;
    keepView(this.showAll ? 'job' : 'lanes',
      isWhole ? {} : { from: Math.round(this.from), to: Math.round(this.to) });
    this.draw();
  }

  // ---- drawing ----

  xOf(time) {
    return this.left + (time - this.from) / (this.to - this.from) * (this.width - this.left);
  }

  timeAt(x) {
    const part = (x - this.left) / (this.width - this.left);
    return this.from + Math.max(0, Math.min(1, part)) * (this.to - this.from);
  }

  draw() {
    this.width = this.box.clientWidth;
    if (this.width === 0) return;
    this.left = this.width < 600 ? 84 : 150;
    const lanesEnd = AXIS + this.lanes.length * LANE;
    const context = fit(this.canvas, lanesEnd + this.graphs.length * (GRAPH + 8) + 4);
    context.clearRect(0, 0, this.width, this.canvas.height);
    this.drawAxis(context);
    this.drawSteps(context, lanesEnd);
    this.lanes.forEach((lane, i) => this.drawLane(context, lane, AXIS + i * LANE));
    this.graphs.forEach((graph, i) =>
      this.drawGraph(context, graph, lanesEnd + 8 + i * (GRAPH + 8)));
    this.drawGaps(context, lanesEnd);
  }

  drawAxis(context) {
    const span = this.to - this.from, room = Math.max(2, Math.floor((this.width - this.left) / 110));
    const power = 10 ** Math.floor(Math.log10(span / room));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => span / n <= room) || 10 * power;
    context.fillStyle = styleOf('--dim');
    context.strokeStyle = styleOf('--line');
    for (let time = Math.ceil(this.from / step) * step; time <= this.to; time += step) {
      const x = this.xOf(time);
      context.beginPath();
      context.moveTo(x, AXIS - 6);
      context.lineTo(x, AXIS + this.lanes.length * LANE);
      context.stroke();
      const text = time === 0 ? '0' : format(time, 'ns'), size = context.measureText(text).width;
      context.fillText(text, x + 3 + size > this.width ? x - 3 - size : x + 3, AXIS / 2);
    }
  }

  // Each step is a bar below the axis, and a line through the lanes where there is room for it.
  drawSteps(context, lanesEnd) {
    let drawn = -1;
    this.data.steps.forEach(([start, end], i) => {
      const x = Math.max(this.left, this.xOf(start)), right = Math.min(this.width, this.xOf(end));
      if (end < this.from || start > this.to || right - drawn < 1) return;
      context.fillStyle = styleOf(i % 2 ? '--dim' : '--link');
      context.fillRect(Math.max(x, drawn), AXIS - 4, Math.max(0.6, right - Math.max(x, drawn)), 3);
      if (x - drawn >= 0 && right - x > 6) context.fillRect(x, AXIS, 0.6, lanesEnd - AXIS);
      drawn = right;
    });
  }

  stepAt(time) {
    const at = this.data.steps.findIndex(([start, end]) => start <= time && time < end);
    return at < 0 ? '' : `step ${at * this.data.stepsEach + 1}: `;
  }

  drawLane(context, lane, y) {
    const last = this.lanes[(y - AXIS) / LANE - 1];
    context.fillStyle = styleOf('--dim');
    const name = !last || !isOfOne(last, lane) ? `${ownerOf(this.data, lane)} ${lane.kind}` : lane.kind;
    context.fillText(clip(context, name, this.left - 10), 2, y + LANE / 2);
    const margin = lane.longest;
    let drawn = -1;
    for (let i = search(lane.start, this.from - margin); i < lane.start.length; i++) {
      if (lane.start[i] > this.to) break;
      const end = lane.start[i] + lane.length[i];
      if (end < this.from) continue;
      const x = Math.max(this.left, this.xOf(lane.start[i]));
      const right = Math.min(this.width, Math.max(this.xOf(end), x + 0.6));
      if (right - drawn < 0.5) continue;
      this.drawMark(context, lane, i, [Math.max(x, drawn), y, right]);
      drawn = right;
    }
  }

  // What stands for several is as dark as they are dense.
  drawMark(context, lane, i, [x, y, right]) {
    const isOne = lane.count[i] === 1;
    const dense = isOne || lane.length[i] === 0 ? 1 : lane.busy[i] / lane.length[i];
    context.globalAlpha = 0.35 + 0.5 * Math.min(1, dense) +
      (hash(this.data.names[lane.name[i]]) % 4) * 0.05;
    context.fillStyle = (this.data.colours || {})[lane.name[i]] || LANE_FILLS[lane.kind];
    context.fillRect(x, y + 1, right - x - (right - x > 3 ? 0.7 : 0), LANE - 2);
    context.globalAlpha = 1;
    const text = right - x > 30 && clip(context, this.nameOf(lane, i), right - x - 6);
    if (text) {
      context.fillStyle = '#14171b';
      context.fillText(text, x + 3, y + LANE / 2);
    }
  }

  nameOf(lane, i) {
    const name = this.data.names[lane.name[i]];
    return lane.count[i] > 1 ? `${units.count(lane.count[i])} calls, such as ${name}` : name;
  }

  // ---- gaps ----

  isThinned(gap, lane) {
    return gap.kind === 'less' && gap.of === lane.kind;
  }

  // In units of the canvas; null where it is not in view.
  spanOf(gap) {
    const left = Math.max(this.left, this.xOf(gap.from)), right = Math.min(this.width, this.xOf(gap.to));
    return gap.to >= this.from && gap.from <= this.to ? [left, Math.max(left + 2, right)] : null;
  }

  drawGaps(context, lanesEnd) {
    for (const gap of this.data.gaps) {
      const span = gap.kind !== 'end' && this.spanOf(gap);
      if (span) this.drawGap(context, gap, span, lanesEnd);
      else if (gap.kind === 'end' && this.to >= gap.from) {
        drawTorn(context, Math.min(this.width, this.xOf(this.data.end || this.data.wall)), AXIS, lanesEnd + this.graphs.length * (GRAPH + 8));
      }
    }
  }

  // A hole of several lanes of a thread is one.
  drawGap(context, gap, [left, right], lanesEnd) {
    const rows = this.lanes.flatMap((lane, i) =>
      (gap.kind === 'hole' ? lane.thread !== undefined && lane.thread === gap.thread : this.isThinned(gap, lane)) ? [i] : []);
    const yOf = (row) => AXIS + row * LANE;
    if (gap.kind === 'less') rows.forEach((row) => drawDashes(context, left, right, yOf(row) + LANE - 1));
    else if (rows.length > 0) {
      drawHole(context, [left, yOf(rows[0]) + 1, right, (rows[rows.length - 1] - rows[0] + 1) * LANE - 2]);
    }
    this.graphs.forEach((graph, i) => {
      const y = lanesEnd + 8 + i * (GRAPH + 8);
      if (this.isOfGraph(gap, graph)) drawDashes(context, left, right, y + GRAPH - 1);
      else if (gap.kind === 'hole') this.drawMissing(context, gap, y);
    });
  }

  isOfGraph(gap, graph) {
    return gap.of === 'readings' || (gap.of === 'heap' && graph.name === 'live heap');
  }

  // A reading is missing where a hole reaches into a pause three times as long as usual.
  drawMissing(context, gap, y) {
    const times = [0, ...this.data.readings.time, this.data.wall];
    const pauses = times.slice(1).map((time, i) => time - times[i]);
    const usual = [...pauses].sort((a, b) => a - b)[pauses.length >> 1];
    for (let i = 0; i < pauses.length; i++) {
      const from = Math.max(gap.from, times[i]), to = Math.min(gap.to, times[i + 1]);
      const span = pauses[i] > 3 * usual && from < to && this.spanOf({ from, to });
      if (span) drawHole(context, [span[0], y + 1, span[1], GRAPH - 2]);
    }
  }

  // ---- graphs ----

  drawGraph(context, graph, y) {
    const times = this.data.readings.time, most = mostOf(graph), top = graph.top || most;
    context.fillStyle = styleOf('--dim');
    context.fillText(clip(context, graph.name, this.left - 10), 2, y + 8);
    context.fillText(this.say(graph, most), 2, y + 24);
    context.strokeStyle = styleOf('--line');
    context.strokeRect(this.left, y, this.width - this.left - 1, GRAPH);
    context.fillStyle = styleOf('--area');
    for (let i = 0; i < times.length; i++) {
      if (graph.values[i] === null) continue;
      const before = graph.isRate ? times[i - 1] : times[i];
      const after = graph.isRate ? times[i] : i + 1 < times.length ? times[i + 1] : this.data.wall;
      const x = Math.max(this.left, this.xOf(before)), right = Math.min(this.width, this.xOf(after));
      const height = GRAPH * graph.values[i] / top;
      if (right > x) context.fillRect(x, y + GRAPH - height, right - x + 0.3, height);
    }
  }

  say(graph, value) {
    return graph.unit === 'real' ? value.toFixed(2) : format(value, graph.unit);
  }

  drawDrag(x) {
    this.draw();
    const context = this.canvas.getContext('2d');
    context.globalAlpha = 0.2;
    context.fillStyle = styleOf('--link');
    context.fillRect(Math.min(x, this.dragged), 0, Math.abs(x - this.dragged), 1e4);
    context.globalAlpha = 1;
  }

  // ---- one mark ----

  point(event) {
    const lane = this.lanes[Math.floor((event.offsetY - AXIS) / LANE)];
    const time = this.timeAt(event.offsetX);
    if (lane && event.offsetY >= AXIS) this.tellLane(lane, time);
    else this.tellGraph(event.offsetY, time);
  }

  tellLane(lane, time) {
    const gap = gapsAt(this.data.gaps, time).find((one) => one.thread !== undefined && one.thread === lane.thread);
    if (gap) { this.info.textContent = this.stepAt(time) + sayGap(gap); return; }
    const near = 2 * (this.to - this.from) / this.width;
    for (let i = search(lane.start, time + near) - 1; i >= 0; i--) {
      if (lane.start[i] + lane.length[i] + near < time) break;
      const rest = lane.count[i] > 1 ? `, ${format(lane.busy[i], 'ns')} of it in the calls` : '';
      this.info.textContent = `${this.stepAt(time)}${this.nameOf(lane, i)}: ${format(lane.length[i], 'ns')}${rest}${this.sayPeers(lane, i)}, ` +
        `from ${format(lane.start[i], 'ns')}`;
      return;
    }
    this.info.textContent = this.stepAt(time) + format(time, 'ns');
  }

  // In a job.
  sayPeers(lane, i) {
    const { links, names } = this.data, name = names[lane.name[i]];
    return lane.kind === 'waits' && links && Object.hasOwn(links, name) ? `, for ${links[name]}` : '';
  }

  tellGraph(y, time) {
    const place = Math.floor((y - AXIS - this.lanes.length * LANE - 8) / (GRAPH + 8));
    const graph = this.graphs[place], times = this.data.readings.time;
    const i = search(times, time) - (graph && graph.isRate ? 0 : 1);
    const value = graph && graph.values[i];
    this.info.textContent = format(time, 'ns') +
      (value === null || value === undefined ? '' : `, ${graph.name}: ${this.say(graph, value)}`);
  }
}
