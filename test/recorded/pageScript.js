/**
 * Runs in a page before the page's own script: notes what it asks of the chart library, and draws its shapes on a plane
 * whose scales depend on no font.
 */
const calls = [];
const shapes = [];
/** The library's own objects have circles. */
const isOpaque = (value) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  ![Object.prototype, null].includes(Object.getPrototypeOf(value));
const spell = (_key, value) => {
  if (isOpaque(value)) return 'object';
  if (typeof value === 'function') return 'function';
  return typeof value === 'number' ? Number(value.toPrecision(10)) : value;
};
const textOf = (value) => JSON.stringify(value, spell) ?? 'undefined';

const plane = {
  series: { priceToCoordinate: (price) => 300 - price / 300 },
  chart: {
    timeScale: () => ({
      options: () => ({ barSpacing: 2 }),
      logicalToCoordinate: (bar) => bar * 2,
      timeToCoordinate: (time) => (time % 1e6) / 1e3,
      getVisibleLogicalRange: () => ({ from: 0, to: 2_000 }),
    }),
  },
  requestUpdate: () => calls.push('requestUpdate'),
};
/** What depends on the layout is asked for, and not noted. */
const READS = /^(get|options|logical|price.*Coord|coord|time.*Coord|subscribe|width|height)/;

/** An object of the library whose calls are noted. */
function noted(name, target) {
  return new Proxy(target, {
    get(held, key) {
      // What stands behind it, where the library is given it back.
      if (key === 'noted') return held;
      const value = Reflect.get(held, key);
      if (typeof value !== 'function') return value;
      return (...given) => {
        const reads = READS.test(String(key));
        if (!reads) calls.push(`${name}.${String(key)} ${given.map(textOf).join(' ')}`);
        if (key === 'attachPrimitive') {
          shapes.push(given[0]);
          given[0].attached?.(plane);
          return undefined;
        }
        const answer = value.apply(
          held,
          given.map((one) => one?.noted ?? one),
        );
        const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer);
        return isObject && !reads ? noted(`${name}.${String(key)}`, answer) : answer;
      };
    },
  });
}

let library;
Object.defineProperty(globalThis, 'LightweightCharts', {
  configurable: true,
  get: () => library,
  set(given) {
    library = {
      ...given,
      createChart: (...all) => noted('chart', given.createChart(...all)),
      createSeriesMarkers(_series, list, options) {
        calls.push(`markers ${textOf(list)} ${textOf(options)}`);
        return {
          setMarkers: (next) => calls.push(`setMarkers ${textOf(next)}`),
          markers: () => [],
          detach() {},
        };
      },
    };
  },
});

/** What the page draws itself, and what the pointer would be on. */
function drawn() {
  const lines = [];
  const context = new Proxy(
    {},
    {
      get: (_none, key) =>
        key === 'measureText'
          ? (words) => ({ width: words.length * 6 })
          : (...given) => void lines.push(`${String(key)} ${given.map(textOf).join(' ')}`),
      set: (_none, key, value) => lines.push(`${String(key)} = ${textOf(value)}`) > 0,
    },
  );
  const mediaSize = { width: 1_000, height: 400 };
  const target = { useMediaCoordinateSpace: (draw) => draw({ context, mediaSize }) };
  const points = [
    [10, 90],
    [400, 100],
    [2_000, 97],
  ];
  for (const shape of shapes) {
    for (const view of shape.paneViews?.() ?? []) view.renderer()?.draw(target);
    for (const [x, y] of points) lines.push(`hit ${textOf(shape.hitTest?.(x, y))}`);
  }
  return lines;
}

const parts = (html = '') => html.split(/(?<=>)(?=<)/);
const places = () => document.querySelectorAll('button, select, input, tbody tr[tabindex]');

globalThis.recorded = {
  /** The page as it is, and what its charts were asked for. */
  shown() {
    const charts = [...calls.splice(0), ...drawn()];
    return { page: parts(document.getElementById('report').outerHTML), charts };
  },
  count: () => places().length,
  /** What a press changes: the section of the page that it is in, and what its charts were asked for. */
  async press(index) {
    const place = places()[index];
    if (place === undefined) return [];
    const name = place.getAttribute('aria-label') ?? place.textContent?.slice(0, 40);
    calls.length = 0;
    if (place instanceof HTMLSelectElement) {
      place.selectedIndex = place.options.length - 1;
      place.dispatchEvent(new Event('change', { bubbles: true }));
    } else place.click();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const section = (place.isConnected ? place : document.body).closest('section, main, header');
    return [`-- ${place.tagName} ${name}`, ...parts(section?.outerHTML), ...calls, ...drawn()];
  },
};
