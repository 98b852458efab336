import { availableParallelism } from 'node:os'
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from './scripts/lib/chromium.mjs'

// Members sign up in nearly every test; at the default cost the servers take 150 ms of CPU time for a password hash.
process.env.LITE_AUTH_BCRYPT_COST = '4'

// A test waits a third of its time, so one more than there are cores.
const BROWSER_WORKERS = Math.min(4, availableParallelism() + 1)

const executablePath = findChromium()
const chromium = {
  browserName: 'chromium',
  // Pages of one context share their renderer process: see ContextPool.
  launchOptions: {
    args: [...CHROMIUM_FLAGS, '--process-per-site'],
    ...(executablePath !== null && { executablePath }),
  },
} satisfies PlaywrightTestConfig['use']

/**
 * `npm test` runs the browser tests with reduced motion, which saves an eighth of their CPU time. Its desktop tests, `npm run
 * e2e` and `npm run test:long` run with motion.
 */
const browserMotion = process.env.VIGNETTE_TEST_MOTION === 'reduce' ? 'reduce' : 'no-preference'

/**
 * End-to-end tests run against the built app (`npm run e2e` builds it first). `browser` drives the browser host in
 * Chromium; `desktop` drives the desktop app, on real Electron where its runtime is installed, else on the stand-in
 * (tests/standin), which shows its windows in Chromium.
 */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  // The desktop tests mostly wait: their one worker runs beside those of the browser, each with its own server.
  workers: BROWSER_WORKERS + 1,
  // Long timeouts cost nothing while tests pass: GitHub's machines, which run the backend tests beside these, are seven times slower than
  // an idle one.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // An action that waits longer than this is a bug; `timeout` only stops tests that hang.
    actionTimeout: 60_000,
    screenshot: 'only-on-failure',
    // Recording every test takes a third of the time: use `--trace retain-on-failure` to investigate one.
    trace: 'off',
  },
  projects: [
    {
      name: 'desktop',
      testDir: 'tests/e2e/desktop',
      // Each test starts the app, some several times.
      timeout: 600_000,
      // Real windows share one screen and take the focus from each other.
      workers: 1,
      use: chromium,
    },
    {
      name: 'browser',
      testIgnore: '**/e2e/desktop/**',
      workers: BROWSER_WORKERS,
      use: { ...chromium, contextOptions: { reducedMotion: browserMotion } },
    },
  ],
})
