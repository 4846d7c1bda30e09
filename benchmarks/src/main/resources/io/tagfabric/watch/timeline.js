'use strict';
// Draws the time line that `timeline` tells: rows of threads by rank, passes and sleeps as slices,
// what happens as points, messages as arrows. The wheel zooms, dragging moves.

const ROW = 26;          // height of a row
const NAMES = 200;       // width of the names of rows
const NEAR = 5;          // how far from a point the mouse still means it
const drawing = document.getElementById('drawing');
const brush = drawing.getContext('2d');
let line = null;         // what the server has told
let view = { begin: 0, end: 1 };
let drawn = { slices: 0, points: 0, arrows: 0 }; // of the last picture
let heldAt = null;       // where the mouse has gone down
let mouse = null;

document.getElementById('take').onclick = () => fetch('timeline')
  .then(answer => answer.json())
  .then(told => {
    line = told;
    document.getElementById('line').hidden = false;
    drawing.height = Math.max(1, line.rows.length) * ROW + 24;
    document.getElementById('remarks').replaceChildren(...remarks().map(remark => {
      const item = document.createElement('li');
      item.textContent = remark;
      return item;
    }));
    all();
  });

function remarks() {
  const left = line.leftOut ? ['the first ' + line.leftOut + ' events are not drawn, the trace file has them'] : [];
  return left.concat(line.remarks);
}

// ---- what is looked at ----

function all() {
  const span = Math.max(1, line.endNs - line.beginNs);
  look(line.beginNs - span * 0.01, line.endNs + span * 0.01);
}

function look(begin, end) {
  const least = 10, most = 4 * Math.max(least, line.endNs - line.beginNs);
  const length = Math.min(most, Math.max(least, end - begin));
  const middle = Math.min(line.endNs, Math.max(line.beginNs, (begin + end) / 2));
  view = { begin: middle - length / 2, end: middle + length / 2 };
  paint();
}

function zoom(factor, at) {
  look(at - (at - view.begin) * factor, at + (view.end - at) * factor);
}

function move(part) {
  const by = (view.end - view.begin) * part;
  look(view.begin + by, view.end + by);
}

const middle = () => (view.begin + view.end) / 2;
for (const [button, action] of [['in', () => zoom(0.5, middle())], ['out', () => zoom(2, middle())],
  ['earlier', () => move(-0.25)], ['later', () => move(0.25)], ['whole', all]]) {
  document.getElementById(button).onclick = () => line && action();
}

function where(event) {
  const box = drawing.getBoundingClientRect();
  return { x: (event.clientX - box.left) * drawing.width / box.width,
           y: (event.clientY - box.top) * drawing.height / box.height };
}

drawing.addEventListener('wheel', event => {
  if (!line) { return; }
  event.preventDefault();
  zoom(event.deltaY < 0 ? 0.8 : 1.25, timeAt(Math.max(NAMES, where(event).x)));
}, { passive: false });
drawing.onmousedown = event => { heldAt = where(event); };
window.addEventListener('mouseup', () => { heldAt = null; });
drawing.onmouseleave = () => { mouse = null; };
drawing.onmousemove = event => {
  if (!line) { return; }
  const now = where(event);
  if (heldAt) {
    const by = (heldAt.x - now.x) * (view.end - view.begin) / (drawing.width - NAMES);
    heldAt = now;
    look(view.begin + by, view.end + by);
  }
  mouse = now;
  text('under', under());
};

// ---- the picture ----

function xOf(ns) { return NAMES + (ns - view.begin) / (view.end - view.begin) * (drawing.width - NAMES); }
function timeAt(x) { return view.begin + (x - NAMES) / (drawing.width - NAMES) * (view.end - view.begin); }
function yOf(row) { return row * ROW + ROW / 2; }
function isSeen(begin, end) { return end >= view.begin && begin <= view.end; }

function paint() {
  drawn = { slices: 0, points: 0, arrows: 0 };
  brush.clearRect(0, 0, drawing.width, drawing.height);
  paintTimes();
  line.slices.forEach(paintSlice);
  brush.strokeStyle = '#2b6cb0';
  line.arrows.forEach(paintArrow);
  brush.fillStyle = '#1d2733';
  line.points.forEach(paintPoint);
  paintNow();
  paintNames();
  text('window', time(view.begin) + ' to ' + time(view.end));
}

function paintTimes() {
  const rough = (view.end - view.begin) / 8;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = power * [1, 2, 5, 10].find(each => each * power >= rough);
  brush.font = '11px sans-serif';
  brush.textAlign = 'center';
  for (let at = Math.ceil(view.begin / step) * step; at <= view.end; at += step) {
    brush.fillStyle = '#e8ecf0';
    brush.fillRect(xOf(at), 0, 1, drawing.height - 18);
    brush.fillStyle = '#56616d';
    brush.fillText(time(at), xOf(at), drawing.height - 5);
  }
}

function paintSlice([row, begin, end, , isSleep]) {
  if (!isSeen(begin, end)) { return; }
  brush.fillStyle = isSleep ? '#e2e8f0' : '#9ae6b4';
  brush.fillRect(xOf(begin), yOf(row) - 8, Math.max(1, xOf(end) - xOf(begin)), 16);
  drawn.slices++;
}

function paintPoint([row, at]) {
  if (!isSeen(at, at)) { return; }
  brush.fillRect(xOf(at) - 1, yOf(row) - 5, 2, 10);
  drawn.points++;
}

function paintArrow([from, begin, to, end]) {
  if (!isSeen(Math.min(begin, end), Math.max(begin, end))) { return; }
  const x = xOf(end), y = yOf(to), turn = Math.atan2(y - yOf(from), x - xOf(begin));
  brush.beginPath();
  brush.moveTo(xOf(begin), yOf(from));
  brush.lineTo(x, y);
  for (const side of [-0.4, 0.4]) {
    brush.moveTo(x, y);
    brush.lineTo(x - 7 * Math.cos(turn + side), y - 7 * Math.sin(turn + side));
  }
  brush.stroke();
  drawn.arrows++;
}

// How far a run has been played.
function paintNow() {
  if (replay && isSeen(replay.atUs * 1000, replay.atUs * 1000)) {
    brush.fillStyle = '#c53030';
    brush.fillRect(xOf(replay.atUs * 1000), 0, 1, drawing.height - 18);
  }
}

function paintNames() {
  brush.fillStyle = '#fff';
  brush.fillRect(0, 0, NAMES, drawing.height);
  brush.font = '12px sans-serif';
  brush.textAlign = 'left';
  line.rows.forEach((row, i) => {
    const isFirst = i === 0 || line.rows[i - 1].rank !== row.rank;
    brush.fillStyle = '#d5dbe1';
    if (isFirst) { brush.fillRect(0, i * ROW, drawing.width, 1); }
    brush.fillStyle = '#1d2733';
    if (isFirst) { brush.fillText(row.rank < 0 ? 'network' : 'rank ' + row.rank, 6, yOf(i) + 4); }
    brush.fillStyle = '#56616d';
    brush.fillText(clip(row.thread.replace('tagfabric-', ''), 130), 64, yOf(i) + 4);
  });
}

// What the mouse points to: what happens there, or else the slice.
function under() {
  if (!mouse || mouse.x < NAMES) { return ''; }
  const row = Math.floor(mouse.y / ROW);
  const near = line.points.filter(point => point[0] === row && Math.abs(xOf(point[1]) - mouse.x) <= NEAR);
  if (near.length) {
    return time(near[0][1]) + ' ' + near[0][2] + (near.length > 1 ? ' and ' + (near.length - 1) + ' more here' : '');
  }
  const at = timeAt(mouse.x);
  const slice = line.slices.find(each => each[0] === row && each[1] <= at && at <= each[2]);
  return slice ? slice[3] + ', ' + time(slice[2] - slice[1]) : '';
}

// The mark of a run that plays moves on.
setInterval(() => { if (line && replay && replay.plays) { paint(); } }, 200);
