// @ts-check
// Runs before `playwright test` in `npm run e2e`: builds what is stale and finds a browser.
import { build } from './lib/build.mjs'
import { ensureChromium } from './lib/chromium.mjs'
import { desktopRuntimeLine } from './lib/desktop.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'

stopChildrenOnExit()
if (!(await build({ quiet: true })) || (await ensureChromium()) === null) process.exit(1)
console.log(desktopRuntimeLine())
