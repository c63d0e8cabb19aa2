/** Whole numbers from 0, a byte for each up to the largest: a set of a million would take forty times as much. */
export interface IndexSet {
  readonly size: number;
  has(index: number): boolean;
  add(index: number): void;
}

const FIRST_LENGTH = 1_024;

export function createIndexSet(): IndexSet {
  let marks = new Uint8Array(FIRST_LENGTH);
  let size = 0;
  return {
    get size() {
      return size;
    },
    has: (index) => marks[index] === 1,
    add(index) {
      if (index >= marks.length) {
        const grown = new Uint8Array(Math.max(index + 1, marks.length * 2));
        grown.set(marks);
        marks = grown;
      }
      if (marks[index] === 1) return;
      marks[index] = 1;
      size++;
    },
  };
}
