import config from '../../vitest.config.ts';

/** Each file in a separate process, watched by `recordReach.ts`. */
export default {
  ...config,
  test: {
    ...config.test,
    projects: config.test?.projects?.map((project) => ({
      ...(project as object),
      test: {
        ...(project as { test: object }).test,
        isolate: true,
        setupFiles: ['./test/mutate/recordReach.ts'],
      },
    })),
  },
};
