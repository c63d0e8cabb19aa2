import { posix } from 'node:path';

/** Pages of the repository's root, by the page of the site that includes each. */
export const ROOT_PAGES = {
  'project/architecture.md': 'ARCHITECTURE.md',
  'project/changelog.md': 'CHANGELOG.md',
  'project/contributing.md': 'CONTRIBUTING.md',
  'project/decisions.md': 'DECISIONS.md',
  'project/readme.md': 'README.md',
  'project/security.md': 'SECURITY.md',
};
const siteOf = Object.fromEntries(Object.entries(ROOT_PAGES).map(([page, file]) => [file, page]));

/**
 * Links are written as the repository has them, so that they work on its host and in an editor. Here they become the
 * site's: root pages have a page of their own, pictures of `public/` are at the site's root, and files that are no pages
 * lose their link, as the project has no public address.
 */
export function repositoryLinks(md) {
  md.core.ruler.push('repository-links', (state) => {
    const page = state.env.relativePath ?? '';
    if (page.startsWith('api/')) return;
    const source = ROOT_PAGES[page] ?? `docs/${page}`;
    for (const token of state.tokens) rewrite(token.children ?? [], source);
  });
}

function rewrite(tokens, source) {
  let isUnlinked = false;
  for (const token of tokens) {
    if (token.type === 'image') {
      const target = targetOf(token.attrGet('src'), source);
      if (target?.startsWith('docs/public/'))
        token.attrSet('src', target.slice('docs/public'.length));
    }
    if (token.type === 'link_close' && isUnlinked) {
      isUnlinked = false;
      token.tag = 'span';
      token.type = 'html_inline';
      token.content = '</span>';
    }
    if (token.type !== 'link_open') continue;
    const href = token.attrGet('href');
    const target = targetOf(href, source);
    if (target === undefined) continue;
    const [, anchor = ''] = /(#.*)?$/.exec(href) ?? [];
    const site = target.startsWith('docs/') ? target.slice('docs/'.length) : siteOf[target];
    if (site?.endsWith('.md')) token.attrSet('href', `/${site}${anchor}`);
    else {
      isUnlinked = true;
      token.type = 'html_inline';
      token.content = '<span>';
    }
  }
}

/** The file that a relative link leads to, from the repository's root; undefined for others. */
function targetOf(href, source) {
  if (href === null || /^([a-z]+:|#|\/)/.test(href)) return undefined;
  return posix.join(posix.dirname(source), decodeURI(href.replace(/#.*/, '')));
}
