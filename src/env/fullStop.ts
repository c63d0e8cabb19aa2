/** The text as a sentence: what a person, a service or a system wrote may have its own end already. */
export const withFullStop = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** The text as a part of a sentence that goes on. */
export const withoutFullStop = (text: string): string => text.replace(/\.$/, '');
