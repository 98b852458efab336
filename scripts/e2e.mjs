// @ts-check
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from './lib/build.mjs'
import { desktopRuntime, desktopRuntimeLine } from './lib/desktop.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { requireNode } from './lib/node-version.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'
import { endToEnd, runSuites } from './lib/suites.mjs'
import { systemReport } from './lib/system-report.mjs'

requireNode()
stopChildrenOnExit()
await ensureInstalled()

// This script handles --project and passes all other arguments (file names, -g, --debug, --workers …) to Playwright.
const args = process.argv.slice(2)
const project = args.find((arg) => arg.startsWith('--project='))?.slice('--project='.length) ?? 'browser'
const rest = args.filter((arg) => !arg.startsWith('--project='))
if (project !== 'browser' && project !== 'desktop') {
  console.error(`Unknown project ${project}: use --project=browser or --project=desktop.`)
  process.exit(2)
}

if (!(await build({ quiet: true }))) process.exit(1)
// A tester's own desktop shows no notifications of the tests.
const usesSystem = project === 'desktop' && desktopRuntime() === 'electron' && Boolean(process.env.CI)
const folder = mkdtempSync(join(tmpdir(), 'vignette-e2e-'))
const report = join(folder, 'system.txt')
if (usesSystem) {
  writeFileSync(report, '')
  process.env.VIGNETTE_SYSTEM_REPORT = report
}
const { failed } = await runSuites([endToEnd(project, rest)])
if (project === 'desktop') console.log(desktopRuntimeLine())
if (usesSystem) {
  const text = systemReport(readFileSync(report, 'utf8'), process)
  console.log(text)
  if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, text)
}
rmSync(folder, { recursive: true })
process.exit(failed === 0 ? 0 : 1)
