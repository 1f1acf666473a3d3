// SPDX-License-Identifier: GPL-3.0-or-later
//
// The processes of a job: a timeline of each, on one axis.
'use strict';

const JOB_LANES = 160, JOB_LANES_LEAST = 4;

const busyOf = (lane) => lane.length.reduce((sum, length, i) =>
  sum + (lane.count[i] > 1 ? lane.busy[i] : length), 0);

// The lanes with most time in them, in their order.
function chooseLanes(lanes, most) {
  if (lanes.length <= most) return lanes;
  const least = lanes.map(busyOf).sort((a, b) => b - a)[most - 1];
  return lanes.filter((lane) => busyOf(lane) >= least).slice(0, most);
}

// The life of a process: what the other lanes lie in.
function lifeOf(process, wall) {
  return { thread: process.data.threads.length, kind: 'process', whole: 1, step: [process.at],
    length: [wall], name: [process.data.names.length], count: [1], busy: [0] };
}

// Moves what counts from the start of a process to the start of the job.
function alignProcess(process, wall, most) {
  const { data, at } = process, { readings, wall: own } = data;
  for (const lane of data.lanes) if (lane.step.length > 0) lane.step[0] += at;
  const lanes = chooseLanes(data.lanes, most);
  data.left = data.lanes.length - lanes.length;
  data.lanes = [lifeOf(process, own), ...lanes];
  data.names.push(process.name);
  data.threads.push({ id: process.pid });
  data.steps = data.steps.map(([start, end]) => [start + at, end + at]);
  readings.time = [...readings.time.map((time) => time + at), at + own];
  for (const name of ['rss', 'cpu']) readings[name].push(null);
  readings.heap = readings.disk = data.deviceReadings = [];
  for (const gap of data.gaps || []) for (const side of ['from', 'to']) if (side in gap) gap[side] += at;
  data.wall = wall;
  data.end = at + own;
  data.links = process.links;
  return data;
}

function headOf(process, hosts) {
  return `${process.name} ${process.pid}` + (process.rank === null ? '' : `, rank ${process.rank}`) +
    (hosts > 1 ? `, ${process.host}` : '');
}

class Job {
  constructor(box, data) {
    if (!data || data.processes.length === 0 || !(data.wall > 0)) return;
    this.box = box;
    this.wall = data.wall;
    box.hidden = false;
    this.build(data.processes.length);
    const hosts = new Set(data.processes.map((process) => process.host)).size;
    const most = Math.max(JOB_LANES_LEAST, Math.floor(JOB_LANES / data.processes.length));
    this.timelines = data.processes.map((process) => this.add(process, headOf(process, hosts), most));
    this.shareTops();
    for (const timeline of this.timelines) timeline.draw();
  }

  // Curves of one kind have one scale.
  shareTops() {
    const graphs = this.timelines.flatMap((timeline) => timeline.graphs), tops = new Map();
    for (const graph of graphs) {
      tops.set(graph.name, Math.max(tops.get(graph.name) || 0, mostOf(graph)));
    }
    for (const graph of graphs) graph.top = tops.get(graph.name);
  }

  build(count) {
    const button = (text, act) => {
      const element = make('button', { type: 'button' }, text);
      element.addEventListener('click', act);
      return element;
    };
    const zoomBy = (factor) => this.timelines[0].zoomBy(factor);
    this.box.append(make('div', { className: 'controls' },
      button('zoom in', () => zoomBy(0.5)), button('zoom out', () => zoomBy(2)),
      button('whole', () => this.show(0, this.wall)),
      make('span', { className: 'note' }, `${count} processes on one axis, and their curves on one scale. Drag to zoom.`)));
  }

  add(process, head, most) {
    const place = make('div', { className: 'chart' });
    const data = alignProcess(process, this.wall, most);
    const notes = make('small', {});
    this.box.append(make('h3', {}, head, notes), place);
    const timeline = new Timeline(place, data, (from, to) => this.show(from, to));
    timeline.canvas.setAttribute('aria-label', `${head}: ${timeline.canvas.getAttribute('aria-label')}`);
    notes.textContent = (data.left > 0 ? `${data.left} lanes with less time are not drawn. ` : '') +
      timeline.sayThinned();
    return timeline;
  }

  show(from, to) {
    for (const timeline of this.timelines) timeline.showAlone(from, to);
  }
}
