import { anchorOf } from './anchorOf.js';
import { repositoryLinks } from './repositoryLinks.js';
import { sidebar } from './sidebar.js';

/** The site of the documents: `npm run docs` in the project's folder builds it into `.vitepress/dist/`. */
export default {
  title: 'Trimtab',
  description: 'A TypeScript framework and runtime for trading bots.',
  lang: 'en',
  // A link that leads nowhere fails the build.
  ignoreDeadLinks: false,
  srcExclude: ['node_modules/**'],
  markdown: { config: repositoryLinks, anchor: { slugify: anchorOf } },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    sidebar,
    nav: [
      { text: 'Tutorial', link: '/tutorial' },
      { text: 'Configuration', link: '/reference/configuration' },
      { text: 'Command line', link: '/reference/command-line' },
      { text: 'API', link: '/api/trimtab/' },
    ],
  },
};
