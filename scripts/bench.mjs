// @ts-check
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './lib/build.mjs'
import { importTypeScript } from './lib/import-typescript.mjs'
import { ROOT } from './lib/paths.mjs'
import { stopChildrenOnExit } from './lib/process.mjs'

const NAMES = readdirSync(join(ROOT, 'bench')).flatMap((file) => /^(.+)\.ts$/.exec(file)?.[1] ?? [])

stopChildrenOnExit()
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** File for the results as JSON; otherwise they are printed. */
    json: { type: 'string' },
    /** Whether `plain` writes docs/performance.md. */
    page: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !NAMES.includes(name))
if (unknown.length > 0) {
  console.error(
    `Unknown benchmark: ${unknown.join(', ')}. Available: ${NAMES.join(', ')}; without a name all of them run.`,
  )
  process.exit(2)
}
if (!(await build({ quiet: true }))) process.exit(1)

/** @type {typeof import('../bench/lib/report')} */
const { formatReport, formatBudgets } = await importTypeScript('bench/lib/report.ts')
const reports = []
for (const name of positionals.length > 0 ? positionals : NAMES) {
  /** @type {{ measure: () => Promise<import('../bench/lib/report').Report> }} */
  const { measure } = await importTypeScript(`bench/${name}.ts`)
  const report = await measure()
  reports.push(report)
  console.log(`\n${formatReport(report)}`)
}
const plain = reports.find(({ name }) => name === 'plain')
if (values.page && plain !== undefined) {
  /** @type {typeof import('../bench/lib/performance-page')} */
  const { writePerformancePage } = await importTypeScript('bench/lib/performance-page.ts')
  await writePerformancePage(plain)
}
console.log(`\n${formatBudgets(reports)}`)
const json = JSON.stringify(reports, null, 2)
if (values.json !== undefined) writeFileSync(values.json, `${json}\n`)
else console.log(`\n${json}`)
process.exit(0)
