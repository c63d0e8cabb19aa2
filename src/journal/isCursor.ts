/** Whether a text can be a page's cursor: a database refuses another, and a file would not find its place. */
export const isCursor = (text: string): boolean => /^\d{1,18}$/.test(text);
