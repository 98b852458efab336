import { defineConfig } from 'vitest/config'
import config from './vitest.config'

/** The unit tests, by which Stryker judges its mutants (CONTRIBUTING.md): other projects start servers. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    projects: (config.test?.projects ?? []).filter(
      (project) =>
        typeof project === 'object' && 'test' in project && /^unit/.test(String(project.test?.name)),
    ),
  },
})
