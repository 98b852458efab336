import type { Browser, Page } from '@playwright/test'
import { createMember } from '#tests/e2e/support/member'
import { openContext, withBrowser } from './lib/browser'
import { fillWithPhotoPosts } from './lib/photo-posts'
import type { Report, Row } from './lib/report'
import { type Frames, measureMemory, scrollAtConstantSpeed, scrollToPost, slowShare } from './scroll/page'

const POSTS = 10_000
/** The index of the first post of each measured section. */
const SECTIONS = { start: 0, middle: POSTS / 2, end: POSTS - 150 } as const
const SECTION_PIXELS = 60_000
/** `slowFrames` in percent, `elements` in the DOM (docs/measurements.md). */
const BUDGET = { slowFrames: 0.5, elements: 1_400 } as const

type Section = keyof typeof SECTIONS

/**
 * Scrolls through 10,000 posts of the feed: at constant speed at the start, in the middle and at the end, and as fast as it
 * loads in between. An empty page of the same height in the same browser is the baseline for software rendering.
 */
export function measure(): Promise<Report> {
  return withBrowser('empty', async (browser, server) => {
    const member = await createMember(server.info)
    await fillWithPhotoPosts(server, member.id, { from: 0, to: POSTS })
    const context = await openContext(browser, server.url, member)
    const page = await context.newPage()
    const rows = await scrollFeed(page, server.url, () => measureEmptyPage(browser, server.url))
    return { name: 'scrolling', rows }
  })
}

async function scrollFeed(page: Page, url: string, measureBaseline: () => Promise<Frames>): Promise<Row[]> {
  let requests = 0
  page.on('request', (request) => {
    if (request.url().includes('/rest/v1/')) requests += 1
  })
  const devtools = await page.context().newCDPSession(page)
  await page.goto(url)
  await page.locator('article').first().waitFor()
  await page.waitForLoadState('networkidle')

  const rows: Row[] = []
  const all: Frames[] = []
  const baselines: Frames[] = []
  let maxElements = 0
  for (const section of Object.keys(SECTIONS) as Section[]) {
    if (SECTIONS[section] > 0) await scrollToPost(page, SECTIONS[section])
    await page.waitForLoadState('networkidle')
    const frames = await scrollAtConstantSpeed(page, devtools, SECTION_PIXELS)
    const { elements, heapMB } = await measureMemory(page, devtools)
    maxElements = Math.max(maxElements, elements)
    all.push(frames)
    baselines.push(await measureBaseline())
    rows.push(
      { what: `${section}: frames over 33 ms`, p50: slowShare(frames), unit: '%' },
      { what: `${section}: longest frame`, p50: frames.longestMs, unit: 'ms' },
      { what: `${section}: JavaScript heap`, p50: heapMB, unit: 'MB' },
    )
  }
  return [
    {
      what: `${POSTS.toLocaleString('en')} posts: frames over 33 ms`,
      p50: slowShare(sum(all)),
      unit: '%',
      budget: BUDGET.slowFrames,
    },
    { what: 'an empty page: frames over 33 ms', p50: slowShare(sum(baselines)), unit: '%' },
    { what: 'DOM elements, maximum', p50: maxElements, unit: '', budget: BUDGET.elements },
    ...rows,
    { what: 'requests per hundred posts', p50: (requests / POSTS) * 100, unit: '' },
  ]
}

/** Scrolls an empty page as tall as the feed. */
async function measureEmptyPage(browser: Browser, url: string): Promise<Frames> {
  const context = await openContext(browser, url, null)
  try {
    await context.route(`${url}/`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><style>div { height: 7000000px }</style><div></div>',
      }),
    )
    const page = await context.newPage()
    await page.goto(url)
    return await scrollAtConstantSpeed(page, await context.newCDPSession(page), SECTION_PIXELS)
  } finally {
    await context.close()
  }
}

const sum = (sections: readonly Frames[]): Frames => ({
  count: sections.reduce((total, { count }) => total + count, 0),
  slow: sections.reduce((total, { slow }) => total + slow, 0),
  longestMs: Math.max(...sections.map(({ longestMs }) => longestMs)),
})
