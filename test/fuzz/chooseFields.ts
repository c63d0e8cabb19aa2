import type { Draw } from './Draw.ts';

/** Chooses the fields of an object from those of its schema. */
export interface FieldChoice {
  /** Always present. */
  required: readonly string[];
  optional: readonly string[];
}

/**
 * Which fields a valid object has. Mutual exclusions are in the schema's refinements, which can't be read,
 * so the few shapes with such rules are listed here by their fields.
 */
export function chooseFields(choice: FieldChoice, surface: string, draw: Draw): string[] {
  const { required, optional } = choice;
  const has = (...names: string[]): boolean =>
    names.every((name) => optional.includes(name) || required.includes(name));
  const some = (names: readonly string[], probability: number): string[] =>
    names.filter((name) => optional.includes(name) && draw.chance(probability));
  const none = (...names: string[]): string[] =>
    optional.filter((name) => !names.includes(name) && draw.chance(0.35));

  if (has('offset', 'trail')) return chooseLeg(surface, draw);
  if (has('pct', 'mult')) {
    const form = draw.pick([['pct'], ['mult', 'indicator', 'params'], ['indicator', 'params']]);
    return [...form, ...(form.includes('mult') ? [] : some(['min_move_bps'], 0.2)), 'interval'];
  }
  if (has('order_type', 'price_from')) {
    const common = some(['client_order_id', 'reduce_only'], 0.15);
    const legs = some(['take_profit', 'stop_loss'], 0.25);
    const form = draw.pick([
      ['price'],
      ['price', 'time_in_force'],
      ['price_from'],
      draw.chance(0.5) ? ['slippage_bps'] : [],
    ]);
    return [...required, ...form, ...common, ...legs];
  }
  if (has('algo', 'total_size')) {
    const legs = some(['take_profit', 'stop_loss'], 0.15);
    return [...required, 'params', ...legs, ...some(['client_execution_id'], 0.2)];
  }
  if (has('limit_price', 'limit_price_from') || has('stop_price', 'stop_price_from')) {
    const plain = optional.filter((name) => !name.includes('limit_price') && name !== 'stop_price');
    const stem = has('stop_price') ? 'stop_price' : 'limit_price';
    const form = draw.chance(0.7) ? stem : `${stem}_from`;
    const rest = plain.filter((name) => name !== 'stop_price_from');
    return [...required, form, ...some(rest, 0.4)];
  }
  if (has('track', 'interval')) {
    const tracked = draw.chance(0.5);
    const rest = tracked ? ['track', ...some(['min_move_bps', 'max_drift_bps'], 0.3)] : [];
    return [...required, 'params', 'series', ...rest];
  }
  if (has('legs', 'template_id')) {
    return [draw.chance(0.8) ? 'legs' : 'template_id', ...none('legs', 'template_id')];
  }
  if (has('algo', 'order_type')) return draw.chance(0.4) ? ['algo', 'params'] : some(optional, 0.4);
  if (has('indicator')) return [...required, ...some(optional, 0.7)];
  const chosen = [...required, ...none()];
  return chosen.length > 0 ? chosen : optional.slice(0, 1);
}

function chooseLeg(surface: string, draw: Draw): string[] {
  const form = draw.pick(['price', 'price', 'offset', 'at', 'trail']);
  const unwinds = surface === 'positions.attachLegs' && form !== 'trail' && draw.chance(0.35);
  return unwinds ? [form, 'exit_style', 'unwind_algo', 'unwind_params'] : [form];
}
