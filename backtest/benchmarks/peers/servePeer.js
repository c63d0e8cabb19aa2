/**
 * `servePeer.js MODULE`, forked: receives closes in its first message, and runs the peer at each further
 * one until it has used enough processor time to be measured.
 */
const ENOUGH_SECONDS = 0.2;

const { default: prepare } = await import(`./${process.argv[2]}.js`);
let prepared;
process.on('message', ({ closes }) => {
  if (closes !== undefined) prepared = prepare(closes);
  else void answer();
});

async function answer() {
  process.send(await measure(await prepared));
}

async function measure(run) {
  const start = process.cpuUsage();
  let [runs, crossings, seconds] = [0, 0, 0];
  while (seconds < ENOUGH_SECONDS) {
    crossings = await run();
    runs++;
    const { user, system } = process.cpuUsage(start);
    seconds = (user + system) / 1e6;
  }
  return { crossings, runs, seconds };
}
