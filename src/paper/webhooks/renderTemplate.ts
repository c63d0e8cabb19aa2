/**
 * Placeholders that an alert may fill in an action; a string that is exactly one placeholder takes its
 * value.
 */
const TEMPLATE = /^\{\{(side|size|total_size|price)\}\}$/;

export type Rendered = { ok: true; value: unknown } | { ok: false; missing: string };

/**
 * Fills an action's templates with the alert's own values, types included (WHK-1). Only templates are
 * overridden; a template that the alert does not fill makes the alert invalid.
 */
export function renderTemplate(template: unknown, alert: unknown): Rendered {
  if (typeof template === 'string') return renderText(template, alert);
  if (typeof template !== 'object' || template === null) return { ok: true, value: template };
  const entries: Array<[string, unknown]> = [];
  for (const [name, part] of Object.entries(template)) {
    const rendered = renderTemplate(part, alert);
    if (!rendered.ok) return rendered;
    entries.push([name, rendered.value]);
  }
  const value = Array.isArray(template)
    ? entries.map(([, part]) => part)
    : Object.fromEntries(entries);
  return { ok: true, value };
}

function renderText(text: string, alert: unknown): Rendered {
  const name = TEMPLATE.exec(text)?.[1];
  if (name === undefined) return { ok: true, value: text };
  if (typeof alert !== 'object' || alert === null || !Object.hasOwn(alert, name)) {
    return { ok: false, missing: name };
  }
  return { ok: true, value: (alert as Record<string, unknown>)[name] };
}
