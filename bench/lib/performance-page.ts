import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type Bar, barChart, formatValue, type Panel } from './bar-chart'
import type { Report } from './report'

const PAGE = 'docs/performance.md'
const IMAGES = 'docs/images'
const MISSING = 'does not open'

/** Row of the benchmark `plain`: `<size>: <measure>: <variant>`. */
const ROW = /^(?<size>[\d,]+ posts): (?<measure>.+): (?<variant>.+)$/

interface Measure {
  name: string
  unit: string
  panels: (Panel & { bars: Bar[] })[]
}

function measuresOf({ rows }: Report): Measure[] {
  const measures: Measure[] = []
  for (const { what, p50, unit } of rows) {
    const { size, measure, variant } = ROW.exec(what)?.groups ?? {}
    if (size === undefined || measure === undefined || variant === undefined) continue
    let found = measures.find(({ name }) => name === measure)
    if (found === undefined) {
      found = { name: measure, unit, panels: [] }
      measures.push(found)
    }
    let panel = found.panels.find(({ title }) => title === size)
    if (panel === undefined) {
      panel = { title: size, bars: [] }
      found.panels.push(panel)
    }
    panel.bars.push({ name: variant, value: Number.isFinite(p50) ? p50 : null })
  }
  return measures
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function tableOf({ unit, panels }: Measure): string {
  const names = panels[0]?.bars.map(({ name }) => name) ?? []
  const cell = (value: number | null) =>
    value === null ? MISSING : `${formatValue(value)}${unit === '' ? '' : ` ${unit}`}`
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(['', ...panels.map(({ title }) => title)]),
    line(['---', ...panels.map(() => '---')]),
    ...names.map((name, index) =>
      line([name, ...panels.map(({ bars }) => cell(bars[index]?.value ?? null))]),
    ),
  ].join('\n')
}

/** Writes docs/performance.md and its charts from the report of the benchmark `plain`. */
export async function writePerformancePage(report: Report): Promise<void> {
  await mkdir(IMAGES, { recursive: true })
  const sections: string[] = []
  for (const measure of measuresOf(report)) {
    const file = `performance-${measure.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.svg`
    const title = capitalize(measure.name)
    await writeFile(
      join(IMAGES, file),
      barChart({ title, unit: measure.unit, panels: measure.panels, missing: MISSING }),
    )
    sections.push(`## ${title}\n\n![${title}](images/${file})\n\n${tableOf(measure)}\n`)
  }
  await writeFile(
    PAGE,
    `# What each technique gains

\`npm run bench -- plain --page\` writes this page. It opens a feed of photos in Chromium, 1280 × 860, and scrolls 20,000 pixels, at 100, 1,000 and
10,000 posts. The first feed is what a tutorial builds: it selects all posts with their pictures as data URLs and keeps them in the page.
The second has the pictures as files with \`loading="lazy"\`, the third also loads eight posts at a time. These three have no framework and no
database (their rows come from memory), so their values are lower bounds. Vignette adds a virtual list, placeholders, React, and a
database that evaluates row security. 'Does not open' means that no photo was on screen after 60 seconds.

One run; ${cpus().length} cores, ${process.platform}, Node ${process.versions.node}. [measurements.md](measurements.md) has Vignette's other figures and their budgets.

${sections.join('\n')}`,
  )
}
