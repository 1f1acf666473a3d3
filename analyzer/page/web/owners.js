// SPDX-License-Identifier: GPL-3.0-or-later
//
// The live heap over time, with its owners at the marks of time that the data has: between two
// marks a straight line.  A slider chooses a mark, whose owners are a table.
'use strict';

const OWNERS_HEIGHT = 220, OWNERS_DRAWN = 8, OWNERS_LISTED = 20;
const OWNER_FILLS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8a6d00',
  '#7a86d1', '#98a3b0'];

class Owners {
  constructor(box, data) {
    if (!data || !data.time || data.time.length === 0) return;
    this.box = box;
    this.data = data;
    this.marks = data.marks || [];
    this.top = Math.max(...data.most, 1);
    this.series = this.gather();
    this.gaps = data.gaps.filter((gap) => gap.kind !== 'less' || ['heap', 'owners'].includes(gap.of));
    this.build();
    box.hidden = false;
    redrawWith(() => this.draw());
    const view = viewOf('owners');
    this.choose(view.has('mark') ? +view.get('mark') : this.largestMark());
  }

  // The largest owners, and the rest in one.
  gather() {
    const owners = this.data.owners || [], named = owners.slice(0, -1), others = owners[owners.length - 1];
    const drawn = named.slice(0, OWNERS_DRAWN);
    if (!others) return [];
    const rest = this.marks.map((_, mark) =>
      named.slice(OWNERS_DRAWN).reduce((sum, owner) => sum + owner.live[mark], others.live[mark]));
    return [...drawn, { name: 'all others', live: rest }];
  }

  largestMark() {
    const sums = this.marks.map((_, mark) =>
      this.series.reduce((sum, owner) => sum + owner.live[mark], 0));
    return sums.indexOf(Math.max(...sums));
  }

  build() {
    this.canvas = make('canvas', {});
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', 'Live heap over time, by owner; the table has a moment');
    this.slider = make('input', { type: 'range', min: 0, max: this.marks.length - 1, step: 1,
      ariaLabel: 'Moment' });
    this.moment = make('span', { className: 'note' });
    this.table = make('tbody', {});
    this.box.append(make('h3', {}, 'Live heap by owner'), make('div', {}, this.canvas),
      ...gapLegend(this.gaps));
    if (this.marks.length > 0) {
      this.box.append(make('div', { className: 'controls' }, this.slider, this.moment),
        make('div', { className: 'wide', tabIndex: 0 }, make('table', {}, this.table)));
    }
    this.slider.addEventListener('input', () => {
      this.choose(+this.slider.value);
      keepView('owners', { mark: this.chosen });
    });
    this.canvas.addEventListener('click', (event) => {
      const time = event.offsetX / this.box.clientWidth * this.data.wall;
      const near = this.marks.map((mark) => Math.abs(mark - time));
      if (near.length === 0) return;
      this.choose(near.indexOf(Math.min(...near)));
      keepView('owners', { mark: this.chosen });
    });
  }

  choose(mark) {
    this.chosen = Math.max(0, Math.min(this.marks.length - 1, mark | 0));
    this.slider.value = this.chosen;
    this.draw();
    if (this.marks.length === 0) return;
    const rows = (this.data.owners || []).map((owner, i) => [owner.name, owner.live[this.chosen], i])
      .filter((row) => row[1] > 0).sort((a, b) => b[1] - a[1]).slice(0, OWNERS_LISTED);
    const whole = this.data.owners.reduce((sum, owner) => sum + owner.live[this.chosen], 0);
    const about = this.data.is_estimate ? '~' : '';
    this.moment.textContent = `after ${format(this.marks[this.chosen], 'ns')}: ` +
      `${about}${format(whole, 'bytes')} live; moment ${this.chosen + 1} of ${this.marks.length}`;
    this.table.replaceChildren(...rows.map((row) => this.rowOf(row, whole, about)));
  }

  rowOf([name, bytes, i], whole, about) {
    const colour = make('i', { className: 'swatch' });
    const isOther = i >= OWNERS_DRAWN;
    colour.style.background = OWNER_FILLS[isOther ? OWNERS_DRAWN : i];
    return make('tr', {}, make('td', {}, colour),
      make('td', { className: 'n' }, percent(bytes, whole)),
      make('td', { className: 'n' }, about + format(bytes, 'bytes')), make('td', {}, name));
  }

  // ---- drawing ----

  draw() {
    const width = this.box.clientWidth, height = OWNERS_HEIGHT;
    if (width === 0) return;
    const context = fit(this.canvas, height + 18);
    context.clearRect(0, 0, width, height + 18);
    const xOf = (time) => time / this.data.wall * width;
    const yOf = (bytes) => height - bytes / this.top * (height - 16);
    this.drawOwners(context, xOf, yOf);
    this.drawCourse(context, xOf, yOf);
    this.drawLabels(context, width, height);
    this.drawGaps(context, xOf, width, height);
    if (this.marks.length > 0) this.drawMoment(context, xOf(this.marks[this.chosen]), height);
  }

  drawOwners(context, xOf, yOf) {
    const below = this.marks.map(() => 0);
    this.series.forEach((owner, i) => {
      const above = below.map((sum, mark) => sum + owner.live[mark]);
      context.beginPath();
      this.marks.forEach((mark, j) => context.lineTo(xOf(mark), yOf(above[j])));
      for (let j = this.marks.length - 1; j >= 0; j--) {
        context.lineTo(xOf(this.marks[j]), yOf(below[j]));
      }
      context.fillStyle = OWNER_FILLS[i];
      context.globalAlpha = 0.75;
      context.fill();
      context.globalAlpha = 1;
      above.forEach((sum, mark) => { below[mark] = sum; });
    });
  }

  drawCourse(context, xOf, yOf) {
    const { time, most, wall } = this.data;
    context.beginPath();
    time.forEach((at, i) => {
      context.lineTo(xOf(at), yOf(most[i]));
      context.lineTo(xOf(i + 1 < time.length ? time[i + 1] : wall), yOf(most[i]));
    });
    context.strokeStyle = styleOf('--fg');
    context.lineWidth = 1.2;
    context.stroke();
  }

  drawLabels(context, width, height) {
    context.fillStyle = styleOf('--dim');
    context.fillText(format(this.top, 'bytes') + ' at most; the line is the highest of each moment',
      4, 8);
    context.strokeStyle = styleOf('--line');
    context.strokeRect(0, height, width, 0);
    context.fillText('0', 2, height + 10);
    const end = format(this.data.wall, 'ns');
    context.fillText(end, width - context.measureText(end).width - 2, height + 10);
  }

  drawGaps(context, xOf, width, height) {
    for (const gap of this.gaps) {
      if (gap.kind === 'end') drawTorn(context, width, 0, height);
      else if (gap.kind === 'less') drawDashes(context, xOf(gap.from), xOf(gap.to), height);
      else drawHole(context, [xOf(gap.from), 16, xOf(gap.to), height - 16]);
    }
  }

  drawMoment(context, x, height) {
    context.beginPath();
    context.moveTo(x, 16);
    context.lineTo(x, height);
    context.strokeStyle = styleOf('--link');
    context.lineWidth = 2;
    context.stroke();
  }
}
