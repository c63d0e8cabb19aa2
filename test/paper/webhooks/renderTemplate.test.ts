import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderTemplate } from '../../../src/paper/webhooks/renderTemplate.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';

const FIELDS = ['side', 'size', 'total_size', 'price'] as const;
const templates = FIELDS.map((field) => `{{${field}}}`);

test('WHK-1: a template is filled wherever it stands, in lists too, and nothing else is changed', async () => {
  const { tree: actions } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(...templates, ...templates, '{{side}} ', '{{other}}', 'buy', 1, true, null),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('request', 'legs', 'size', 'note'), tie('tree')),
    ),
  }));
  const alerts = fc.record(
    {
      side: fc.constantFrom('buy', 'sell'),
      size: fc.constantFrom(1, '2', null),
      total_size: fc.constant(3),
      price: fc.constantFrom(100.5, { list: ['{{side}}'] }),
    },
    { requiredKeys: [] },
  );
  const tried = new Tried();
  await holdLaw(500, fc.tuple(actions, alerts), ([action, alert]) => {
    const text = JSON.stringify(action);
    const values = alert as Readonly<Record<string, unknown>>;
    const missing: string[] = [];
    const filled = text.replaceAll(/"\{\{(side|size|total_size|price)\}\}"/g, (whole, name) => {
      if (name in values) return JSON.stringify(values[name]);
      missing.push(name);
      return whole;
    });
    const rendered = renderTemplate(action, alert);
    if (missing.length > 0) {
      tried.take('missing');
      expect(rendered).toEqual({ ok: false, missing: missing[0] });
      return;
    }
    if (text !== filled) tried.take(text.includes('[') ? 'list' : 'plain');
    expect(rendered).toEqual({ ok: true, value: JSON.parse(filled) });
  });
  expect(tried.rare(['missing', 'list', 'plain'], 10)).toEqual([]);
});
