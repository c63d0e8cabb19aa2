/** What is wrong with a base address whose service gave no usable answer, if that can be seen. */
export function explainBaseUrl(baseUrl: string): string | undefined {
  if (!baseUrl.endsWith('/v1')) return undefined;
  return 'Write link.base_url without /v1, which is added to it.';
}
