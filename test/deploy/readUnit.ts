import { read } from '../sourceFiles.ts';

/** The settings of a unit, each with its values in their order. */
export function readUnit(file: string): Partial<Record<string, string[]>> {
  const settings: Partial<Record<string, string[]>> = {};
  for (const [, name, value] of read(file).matchAll(/^(\w+)=(.*)$/gm)) {
    (settings[name!] ??= []).push(value!);
  }
  return settings;
}
