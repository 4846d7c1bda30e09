'use strict';
// Shows what the server tells of a job. Everything it draws comes from the frames of `events`.

const COLORS = { ALONE: '#2b6cb0', EAGER: '#2b6cb0', PARTS: '#2b6cb0', ASKS: '#805ad5',
                 kept: '#dd6b20', matched: '#2f855a' };
const FLIGHT_MS = 500;   // how long a message is drawn on its way, at least
const FADE_MS = 700;     // how long one that was taken stays
const FORGET_MS = 30000; // a message whose end was not seen
const MOST_DOTS = 600;

const canvas = document.getElementById('picture');
const pen = canvas.getContext('2d');
const dots = new Map();  // messages by id
let lanes = [];
let replay = null;       // how far a run of a seed has been played; null if a job is watched
let round = 0;

// A length of time, of which the argument is ns.
function time(ns) {
  for (const [unit, size] of [['s', 1e9], ['ms', 1e6], ['us', 1e3]]) {
    if (Math.abs(ns) >= size) { return +(ns / size).toPrecision(6) + ' ' + unit; }
  }
  return Math.round(ns) + ' ns';
}

function text(id, value) { document.getElementById(id).textContent = value; }

// ---- what comes ----

const events = new EventSource('events');
events.onopen = () => text('status', 'live');
events.onerror = () => text('status', 'no connection');
events.onmessage = event => {
  const frame = JSON.parse(event.data);
  if (frame.ended) {
    text('status', 'the job has ended');
    events.close();
    return;
  }
  lanes = frame.lanes;
  const now = performance.now();
  takeReplay(frame.replay || null);
  frame.messages.forEach(message => take(message, now));
  if (!replay) { takeCounts(lanes, now); }
  text('sample', frame.oneOf > 1 ? 'one message of ' + frame.oneOf + ' is shown' : '');
  const frozen = lanes.filter(lane => lane.frozen).length;
  text('status', replay ? playedSoFar() : frozen ? frozen + ' of ' + lanes.length + ' frozen' : 'live');
  fillTable();
  fillRanks();
};

function take(message, now) {
  let dot = dots.get(message.id);
  if (!dot) {
    if (dots.size >= MOST_DOTS) { return; }
    const isSent = message.what === 'sent';
    dot = { from: isSent ? message.lane : message.peer, to: isSent ? message.peer : message.lane,
            since: now, tag: message.tag, color: COLORS.EAGER, arrived: false, over: 0 };
    dots.set(message.id, dot);
  }
  if (message.what === 'sent') { dot.color = COLORS[message.way] || COLORS.EAGER; }
  if (message.what === 'arrived') { dot.arrived = true; }
  if (message.what === 'kept') { dot.arrived = true; dot.kept = true; }
  if (message.what === 'matched') { dot.arrived = true; dot.kept = false; dot.over = now; }
}

function fillRanks() {
  const select = document.getElementById('rank');
  const ranks = [...new Set(lanes.map(lane => lane.rank))];
  if (select.options.length === ranks.length + 1) { return; }
  const chosen = select.value;
  select.replaceChildren(new Option('all', '-1'), ...ranks.map(rank => new Option(rank, rank)));
  select.value = chosen;
}

function drivers(lane) {
  const all = lane.drivers.reduce((sum, each) => sum + each.us, 0);
  return lane.drivers.map(each => each.thread + ' ' + Math.round(100 * each.us / (all || 1)) + ' %')
    .join(', ') || (lane.frozen ? 'nobody' : 'nothing to do');
}

// What a flow may send is told when it sends; what has come back since is not known here.
function age(credit) {
  return credit.ageMs < 2000 ? '' : ' (' + Math.round(credit.ageMs / 1000) + ' s ago)';
}

function fillTable() {
  const body = document.getElementById('lanes');
  while (body.rows.length < lanes.length) { for (let row = body.insertRow(), i = 0; i < 8; i++) { row.insertCell(); } }
  while (body.rows.length > lanes.length) { body.deleteRow(-1); }
  lanes.forEach((lane, i) => {
    const state = lane.killed ? 'killed' : lane.closed ? 'closed' : lane.frozen ? 'frozen' : 'runs';
    const values = [lane.rank + ' ' + lane.domain, state, lane.mode + (lane.switches ? '' : ' (fixed)'),
      lane.posted, lane.unexpected, lane.waitingSends, drivers(lane),
      lane.credits.map(credit => credit.peer + ': ' + credit.messages + age(credit)).join(', ')];
    values.forEach((value, column) => { body.rows[i].cells[column].textContent = value; });
    body.rows[i].dataset.rank = lane.rank;
    body.rows[i].dataset.mode = lane.mode;
    body.rows[i].dataset.state = state;
  });
}

// ---- what is told ----

for (const what of ['freeze', 'step', 'go', 'auto', 'manual']) {
  document.getElementById(what).onclick = () => fetch(
    'command?do=' + what + '&rank=' + document.getElementById('rank').value, { method: 'POST' })
    .then(answer => answer.json())
    .then(answer => {
      if (answer.busy) {
        text('status', answer.busy + ' did not answer: told before, and not obeyed yet');
      } else if (!answer.told) {
        text('status', 'no domain does that: start it by run --watch');
      }
    });
}

// ---- a run that is played ----

function playedSoFar() {
  return (replay.over ? 'over' : replay.plays ? 'plays' : 'stands') + ' at ' + time(replay.atUs * 1000);
}

function takeReplay(now) {
  const isFirst = now && !replay;
  replay = now;
  if (!replay) { return; }
  if (isFirst) {
    document.getElementById('steering').hidden = true;
    document.getElementById('playing').hidden = false;
    document.getElementById('said').hidden = false;
    document.getElementById('charts').hidden = true; // what stands has no rate
  }
  if (round !== replay.round) {
    round = replay.round;
    dots.clear();
  }
  fillSpeeds();
  text('said', replay.said.join('\n'));
  const played = document.getElementById('played');
  played.max = replay.endUs || 1;
  played.value = replay.over ? played.max : replay.atUs;
}

function fillSpeeds() {
  const select = document.getElementById('speed');
  if (!select.options.length) {
    for (let us = 1; us <= 1e9; us *= 10) { select.add(new Option(time(us * 1000), us)); }
  }
  if (document.activeElement !== select) { select.value = replay.usPerSecond; }
}

for (const [button, what] of [['play', 'play'], ['pause', 'pause'], ['next', 'step'], ['again', 'again']]) {
  document.getElementById(button).onclick = () => fetch('command?do=' + what, { method: 'POST' });
}
document.getElementById('speed').onchange = event => {
  fetch('command?do=speed&us=' + event.target.value, { method: 'POST' });
  event.target.blur();
};

// ---- the picture ----

function place(index) {
  const at = lanes.findIndex(lane => lane.lane === index);
  return at < 0 ? null : { x: (at + 0.5) * canvas.width / lanes.length, y: 190 };
}

function draw(now) {
  pen.clearRect(0, 0, canvas.width, canvas.height);
  lanes.forEach(drawLane);
  for (const [id, dot] of dots) {
    const done = dot.over && now - dot.over > FADE_MS && now - dot.since > FLIGHT_MS;
    const isOld = now - dot.since > FORGET_MS && !(replay && !replay.plays); // what stands stays
    if (done || isOld) { dots.delete(id); } else { drawDot(dot, now); }
  }
  requestAnimationFrame(draw);
}

function drawLane(lane) {
  const { x, y } = place(lane.lane);
  const width = Math.min(170, canvas.width / lanes.length - 14);
  pen.textAlign = 'center';
  pen.strokeStyle = lane.frozen ? '#3182ce' : '#a0aec0';
  pen.lineWidth = lane.frozen ? 3 : 1;
  pen.strokeRect(x - width / 2, y, width, 215);
  pen.fillStyle = lane.closed ? '#a0aec0' : '#1d2733';
  pen.font = 'bold 15px sans-serif';
  pen.fillText('rank ' + lane.rank + (lane.frozen ? ' \u2744' : ''), x, y + 20);
  pen.font = '12px sans-serif';
  pen.fillText(lane.killed ? 'killed' : lane.closed ? 'closed' : lane.mode, x, y + 38);
  bar(x - width / 4, y + 165, lane.posted, '#2f855a', 'posted');
  bar(x + width / 4, y + 165, lane.unexpected, '#dd6b20', 'unexp.');
  pen.fillStyle = '#56616d';
  const most = lane.drivers.reduce((best, each) => each.us > best.us ? each : best, { us: -1, thread: '' });
  pen.fillText(clip(most.thread.replace('tagfabric-', ''), width), x, y + 205);
}

function clip(name, width) {
  const most = Math.floor(width / 7);
  return name.length > most ? name.slice(0, most - 1) + '\u2026' : name;
}

function bar(x, y, value, color, label) {
  const height = Math.min(95, value ? 12 + 14 * Math.log2(value) : 0);
  pen.fillStyle = color;
  pen.fillRect(x - 12, y - height, 24, height);
  pen.fillStyle = '#1d2733';
  pen.fillText(value, x, y - height - 4);
  pen.fillText(label, x, y + 15);
}

function drawDot(dot, now) {
  const from = place(dot.from), to = place(dot.to);
  if (!from || !to) { return; }
  const age = (now - dot.since) / FLIGHT_MS;
  const way = dot.arrived ? Math.min(1, age) : Math.min(0.6, age * 0.6); // hangs until it has come
  const high = dot.from === dot.to ? 60 : 40 + Math.min(110, Math.abs(to.x - from.x) / 4);
  const x = from.x + (to.x - from.x) * way + (dot.from === dot.to ? Math.sin(Math.PI * way) * 40 : 0);
  const y = from.y - 8 - Math.sin(Math.PI * way) * high;
  pen.globalAlpha = dot.over && way >= 1 ? Math.max(0.1, 1 - (now - dot.over) / FADE_MS) : 1;
  pen.fillStyle = way >= 1 && dot.kept ? COLORS.kept : way >= 1 && dot.over ? COLORS.matched : dot.color;
  pen.beginPath();
  pen.arc(x, y, 6, 0, 2 * Math.PI);
  pen.fill();
  pen.fillText(dot.tag, x, y - 9);
  pen.globalAlpha = 1;
}

requestAnimationFrame(draw);
