const btc = { symbol: 'BTC', side: 'buy', total_size: 0.5 };
const ema = { indicator: 'ema', params: { period: 50 }, interval: '1h' };
const atr = { indicator: 'atr', params: { period: 14 }, interval: '1h' };
const rsi = { indicator: 'rsi', params: { period: 14 }, interval: '1h' };
const pacemaker = { algo: 'pacemaker', ...btc, params: { duration_seconds: 600 } };
const sweep = { algo: 'ghostsweep', ...btc };

/** Launches, one for each rule of `POST /v1/execute` that reaches across fields (EXE-2, EXE-4, LEG-1). */
export const LAUNCHES: ReadonlyArray<readonly [name: string, request: unknown]> = [
  ['pacemaker', pacemaker],
  [
    'glidemaker at a fixed limit',
    { algo: 'glidemaker', ...btc, params: { strategy: 'balanced', limit_price: 61_000 } },
  ],
  [
    'glidemaker at a tracked limit (EXE-5)',
    {
      algo: 'glidemaker',
      ...btc,
      params: { strategy: 'passive', limit_price_from: { ...ema, track: true } },
    },
  ],
  ['glidemaker without a limit', { algo: 'glidemaker', ...btc, params: { strategy: 'passive' } }],
  ['flowscale', { algo: 'flowscale', ...btc, params: { participation: 0.1 } }],
  ['flowband', { algo: 'flowband', ...btc, params: { band_low: 60_000, band_high: 61_000 } }],
  ['flowband upside down', { algo: 'flowband', ...btc, params: { band_low: 2, band_high: 1 } }],
  [
    'smartexit following a level (EXE-5)',
    { algo: 'smartexit', ...btc, reduce_only: true, params: { stop_price_from: ema } },
  ],
  ['smartexit that may open', { algo: 'smartexit', ...btc, params: { stop_price: 59_000 } }],
  ['ghostsweep at a price', { ...sweep, params: { trigger_price: 61_000 }, sweep_limit: 61_500 }],
  [
    'ghostsweep on a tracked trigger (EXE-4)',
    { ...sweep, trigger_from: { ...ema, track: true }, sweep_limit_bps: 50 },
  ],
  [
    'an absolute limit on a tracked trigger (EXE-4)',
    { ...sweep, trigger_from: { ...ema, track: true }, sweep_limit: 61_500 },
  ],
  [
    'two sweep limits',
    { ...sweep, params: { trigger_price: 1 }, sweep_limit: 2, sweep_limit_bps: 5 },
  ],
  ['ghostsweep without a trigger', sweep],
  ['a sweep limit on another algorithm', { ...pacemaker, sweep_limit_bps: 5 }],
  ['an offset leg (LEG-2)', { ...pacemaker, stop_loss: { offset: { mult: 2, ...atr } } }],
  ['an at leg (LEG-3)', { ...pacemaker, take_profit: { at: ema } }],
  ['an at leg on an oscillator (LEG-3)', { ...pacemaker, take_profit: { at: rsi } }],
  [
    'a trail by percent (LEG-4)',
    { ...pacemaker, stop_loss: { trail: { pct: 1.5, interval: '5m' } } },
  ],
  ['a trail by distance (LEG-4)', { ...pacemaker, stop_loss: { trail: { mult: 3, ...atr } } }],
  ['a trail on a level (LEG-4)', { ...pacemaker, stop_loss: { trail: ema } }],
  [
    'a distance that is no atr (LEG-4)',
    { ...pacemaker, stop_loss: { trail: { mult: 3, ...ema } } },
  ],
  ['two forms in a leg (LEG-1)', { ...pacemaker, stop_loss: { price: 1, at: ema } }],
  [
    'an unwind on a launch (LEG-5)',
    { ...pacemaker, stop_loss: { price: 1, exit_style: 'algo_unwind', unwind_algo: 'pacemaker' } },
  ],
  ['an unknown field (RULE-1)', { ...pacemaker, hidden: true }],
  ['an unknown algorithm', { ...pacemaker, algo: 'teleport' }],
  ['too short a duration', { ...pacemaker, params: { duration_seconds: 59 } }],
];
