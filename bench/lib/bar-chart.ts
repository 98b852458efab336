/** One value of a chart; `null` draws the word `missing` instead of a bar. */
export interface Bar {
  name: string
  value: number | null
}

/** Bars that share a scale. */
export interface Panel {
  title: string
  bars: readonly Bar[]
}

interface Chart {
  title: string
  unit: string
  panels: readonly Panel[]
  /** Shown for a bar without a value. */
  missing: string
}

const WIDTH = 720
const NAME_WIDTH = 230
const VALUE_WIDTH = 130
const ROW = 26
const PANEL_GAP = 34
const TOP = 58

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #57534e }
  .title { font-weight: 600; font-size: 16px; fill: #1c1917 }
  .panel { font-weight: 600; fill: #1c1917 }
  .bar { fill: #a8a29e }
  .last { fill: #c2410c }
  @media (prefers-color-scheme: dark) {
    text { fill: #a8a29e }
    .title, .panel { fill: #f5f5f4 }
    .bar { fill: #78716c }
    .last { fill: #fb923c }
  }`

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A value with two digits at least: 0.4, 12, 1,234. */
export function formatValue(value: number): string {
  const digits = value !== 0 && Math.abs(value) < 10 ? 1 : 0
  return value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits })
}

/** Draws horizontal bars as SVG, each panel on its own linear scale. The last bar of each panel is highlighted. */
export function barChart({ title, unit, panels, missing }: Chart): string {
  let y = TOP
  const parts: string[] = []
  for (const panel of panels) {
    parts.push(`<text class="panel" x="0" y="${y}">${escapeXml(panel.title)}</text>`)
    const largest = Math.max(...panel.bars.map(({ value }) => value ?? 0), Number.MIN_VALUE)
    for (const [index, { name, value }] of panel.bars.entries()) {
      y += ROW
      const width = ((value ?? 0) / largest) * (WIDTH - NAME_WIDTH - VALUE_WIDTH)
      const kind = index === panel.bars.length - 1 ? 'last' : 'bar'
      const label = value === null ? missing : `${formatValue(value)}${unit === '' ? '' : ` ${unit}`}`
      parts.push(
        `<text x="${NAME_WIDTH - 12}" y="${y}" text-anchor="end">${escapeXml(name)}</text>`,
        `<rect class="${kind}" x="${NAME_WIDTH}" y="${y - 13}" width="${Math.max(width, 1).toFixed(1)}" height="16" rx="3"/>`,
        `<text x="${(NAME_WIDTH + width + 8).toFixed(1)}" y="${y}">${escapeXml(label)}</text>`,
      )
    }
    y += PANEL_GAP
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y - PANEL_GAP + 20}" role="img" aria-label="${escapeXml(title)}">
<style>${STYLE}
</style>
<text class="title" x="0" y="20">${escapeXml(title)}</text>
${parts.join('\n')}
</svg>
`
}
