'use strict';
// Draws of the last two minutes how many messages a second each rank has taken, and the credit that
// flows had left.

const KEPT_S = 120;
const MOST_LINES = 12;
const INKS = ['#2b6cb0', '#dd6b20', '#2f855a', '#805ad5', '#b83280', '#975a16', '#2c7a7b', '#c53030',
              '#4a5568', '#6b46c1', '#38a169', '#d69e2e'];

// A chart whose lines come as they are first heard of; each second has one value of each line.
class Chart {
  constructor(id, title) {
    this.lines = [];
    this.data = [[]];
    this.plot = new uPlot({
      title: title, width: 590, height: 220, scales: { y: { range: (u, min, max) => [0, max > 0 ? max * 1.1 : 1] } },
      axes: [{}, { size: 64 }], series: [{}],
    }, this.data, document.getElementById(id));
  }

  // Values by the names of lines; a line that has none now is not drawn here.
  add(atS, values) {
    for (const name of Object.keys(values)) {
      if (!this.lines.includes(name) && this.lines.length < MOST_LINES) {
        this.data.push(this.data[0].map(() => null));
        this.lines.push(name);
        this.plot.addSeries({ label: name, stroke: INKS[this.lines.length - 1], width: 2 });
      }
    }
    this.data[0].push(atS);
    this.lines.forEach((name, i) => this.data[i + 1].push(name in values ? values[name] : null));
    while (this.data[0].length > KEPT_S) { this.data.forEach(line => line.shift()); }
    this.plot.setData(this.data);
  }
}

const rates = new Chart('rates', 'messages taken a second');
const credits = new Chart('credits', 'credit left, messages');
let counted = {};
let countedSince = 0;

// Of one frame; a second of them makes one point.
function takeCounts(lanes, now) {
  if (!countedSince) {
    countedSince = now; // what was before is of a time that is not known
    return;
  }
  lanes.forEach(lane => {
    const name = 'rank ' + lane.rank;
    counted[name] = (counted[name] || 0) + lane.taken;
  });
  const seconds = (now - countedSince) / 1000;
  if (seconds < 1) { return; }
  const left = {};
  lanes.forEach(lane => lane.credits.forEach(credit => {
    left['rank ' + lane.rank + ' to ' + credit.peer] = credit.messages;
  }));
  const atS = Date.now() / 1000;
  rates.add(atS, Object.fromEntries(Object.entries(counted).map(([name, many]) => [name, many / seconds])));
  credits.add(atS, left);
  counted = {};
  countedSince = now;
}
