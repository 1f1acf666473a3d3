// SPDX-License-Identifier: GPL-3.0-or-later
//
// Times of which less is known: holes are hatched over all that stands for their thread, a thinned
// lane has a dashed foot, and an end that nobody saw is torn.
'use strict';

const GAP_WORDS = { hole: 'nothing is known', less: 'less was recorded', end: 'the end is unknown' };

// A pattern of stripes, in the colours of the page.
function hatch(context) {
  const tile = document.createElement('canvas'), side = tile.width = tile.height = 8;
  const pen = tile.getContext('2d');
  pen.fillStyle = styleOf('--bg');
  pen.fillRect(0, 0, side, side);
  pen.strokeStyle = styleOf('--dim');
  for (const x of [-side, 0, side]) {
    pen.beginPath();
    pen.moveTo(x, side);
    pen.lineTo(x + side, 0);
    pen.stroke();
  }
  return context.createPattern(tile, 'repeat');
}

// A hole of any length is seen; one that has room has a word.
function drawHole(context, [left, top, right, height]) {
  const width = Math.max(2, right - left);
  context.fillStyle = hatch(context);
  context.fillRect(left, top, width, height);
  const text = 'nothing known', room = context.measureText(text).width + 8;
  if (width < room + 16 || height < 12) return;
  context.fillStyle = styleOf('--bg');
  context.fillRect(left + (width - room) / 2, top, room, height);
  context.fillStyle = styleOf('--dim');
  context.fillText(text, left + (width - room) / 2 + 4, top + height / 2);
}

function drawDashes(context, left, right, y) {
  context.save();
  context.strokeStyle = styleOf('--c1');
  context.lineWidth = 2;
  context.setLineDash([6, 4]);
  context.beginPath();
  context.moveTo(left, y);
  context.lineTo(right, y);
  context.stroke();
  context.restore();
}

function drawTorn(context, x, top, bottom) {
  context.save();
  context.strokeStyle = styleOf('--c1');
  context.lineWidth = 2;
  context.beginPath();
  for (let y = top, i = 0; y <= bottom; y += 5, i++) context.lineTo(x - (i % 2 ? 6 : 1), y);
  context.stroke();
  context.restore();
}

// What the marks mean, where there are any; the table has each of them.
function gapLegend(gaps) {
  const kinds = Object.keys(GAP_WORDS).filter((kind) => gaps.some((gap) => gap.kind === kind));
  if (kinds.length === 0) return [];
  const link = byId('timeline') ? make('a', { href: '#timeline' }, 'the table has each') : '';
  return [make('p', { className: 'note gaps' },
    ...kinds.flatMap((kind) => [make('i', { className: 'gap ' + kind }), GAP_WORDS[kind] + ' ']), link)];
}

const gapsAt = (gaps, time) => gaps.filter((gap) => gap.from <= time && (gap.to === undefined || time < gap.to));

const sayGap = (gap) => gap.words +
  (gap.to === undefined ? '' : ` ${format(gap.to - gap.from, 'ns')} from ${format(gap.from, 'ns')} on.`);
