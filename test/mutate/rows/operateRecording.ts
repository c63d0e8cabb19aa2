/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const recording = {
  station: 'operate/recording',
  rows: [
    [
      'findDifference.ts',
      'a field that only the second has is none',
      '[...new Set([...Object.keys(first), ...Object.keys(second)])]',
      'Object.keys(first)',
    ],
    [
      'findDifference.ts',
      'a field that is deeper has no path',
      "path === '' ? name : `${path}.${name}`",
      'name',
    ],
    [
      'findDifference.ts',
      'one difference is reported',
      'const MOST_REPORTED = 5;',
      'const MOST_REPORTED = 1;',
    ],
    [
      'diffRecordings.ts',
      'what the second run has more is no difference',
      'Math.max(first.length, second.length)',
      'Math.min(first.length, second.length)',
    ],
    [
      'divideRows.ts',
      'a line of another instance is taken',
      '      if (part === undefined) continue;\n      part.waiting.push(line);',
      '      if (part === undefined) break;\n      part.waiting.push(line);',
    ],
    [
      'divideRows.ts',
      'the newest line comes first',
      'return part.waiting.shift();',
      'return part.waiting.pop();',
    ],
    [
      'divideRows.ts',
      'what was left is read to the end',
      'leave: (instance) => void parts.delete(instance),',
      'leave: () => {},',
    ],
  ],
} as const;
