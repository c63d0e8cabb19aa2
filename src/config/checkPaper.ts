import { paperSettings, type PaperSettings } from '../paper/server/PaperSettings.ts';
import type { ConfigFault, KeyPath } from './ConfigFault.ts';
import { findingFault } from './findingFault.ts';
import { toInputSchema } from './knownKeys.ts';
import { repeatedFeeds } from './repeatedFeeds.ts';
import { toFaults } from './toFaults.ts';
import { unfedSymbols } from './unfedSymbols.ts';

export type PaperResult =
  { ok: true; settings: PaperSettings } | { ok: false; faults: ConfigFault[] };

/**
 * The settings of a paper service as a program gives them, checked as those of a file are.
 *
 * @param file names the value in messages
 */
export function checkPaper(value: unknown, file: string): PaperResult {
  const nowhere = () => ({ file, place: null });
  const places = { ofKey: nowhere, ofValue: nowhere };
  const shape = paperSettings.safeParse(value);
  if (!shape.success) {
    const schema = toInputSchema(paperSettings);
    return { ok: false, faults: toFaults(shape.error.issues, { places, schema, value }) };
  }
  const fed = shape.data.feeds.map(({ symbol }) => symbol);
  const findings = [...repeatedFeeds(shape.data.feeds), ...unfedSymbols(shape.data, fed)];
  const faults = findings.map((finding) => {
    const path: KeyPath = finding.path.slice(1);
    const reason = finding.reason.replace(/^paper\./, '');
    return findingFault({ ...finding, path, reason }, places);
  });
  return faults.length === 0 ? { ok: true, settings: shape.data } : { ok: false, faults };
}
