import type { Browser, Page } from '@playwright/test'
import { createMember, plantSession } from '#tests/e2e/support/member'
import { inBrowser } from './lib/browser'
import type { Report, Row } from './lib/report'
import { insertPhotographs } from './scroll/community'
import { type Frames, hurryTo, scrollEvenly, takeStock } from './scroll/page'

const POSTS = 10_000
/** Where the frames are measured: from these places on, for so many pixels. */
const STRETCHES = { start: 0, middle: POSTS / 2, end: POSTS - 150 } as const
const STRETCH_PIXELS = 60_000
/** Posts of a stretch, and those read ahead of it. */
const STRETCH_POSTS = 150
/** Budgets of design.md section 9. */
const BUDGET = { slowFrames: 1, elements: 1_400 } as const

type Stretch = keyof typeof STRETCHES

/**
 * Scrolling through 10,000 posts in the real feed: at its start, in its middle and at its end at an even pace, in
 * between as fast as it is read. Beside it an empty page of the same height, scrolled equally in the same browser:
 * what the machine, drawing without a graphics card, can do at all.
 */
export function measure(): Promise<Report> {
  return inBrowser('empty', async (browser, server) => {
    const member = await createMember(server.info)
    await insertPhotographs(member, POSTS, (place) =>
      Object.values(STRETCHES).some((first) => place >= first && place < first + STRETCH_POSTS),
    )
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
    await plantSession(context, server.url, member)
    const page = await context.newPage()
    const rows = await scrollFeed(page, server.url, () => measureFloor(browser, server.url))
    return { name: 'scrolling', rows }
  })
}

async function scrollFeed(page: Page, url: string, floor: () => Promise<Frames>): Promise<Row[]> {
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
  const floors: Frames[] = []
  let mostElements = 0
  for (const stretch of Object.keys(STRETCHES) as Stretch[]) {
    if (STRETCHES[stretch] > 0) await hurryTo(page, STRETCHES[stretch])
    await page.waitForLoadState('networkidle')
    const frames = await scrollEvenly(page, devtools, STRETCH_PIXELS)
    const { elements, heapMB } = await takeStock(page, devtools)
    mostElements = Math.max(mostElements, elements)
    all.push(frames)
    floors.push(await floor())
    rows.push(
      { what: `${stretch}: frames over 33 ms`, p50: share(frames), unit: '%' },
      { what: `${stretch}: longest frame`, p50: frames.longestMs, unit: 'ms' },
      { what: `${stretch}: JavaScript's memory`, p50: heapMB, unit: 'MB' },
    )
  }
  return [
    {
      what: `${POSTS.toLocaleString('en')} posts: frames over 33 ms`,
      p50: share(sum(all)),
      unit: '%',
      budget: BUDGET.slowFrames,
    },
    { what: 'an empty page: frames over 33 ms', p50: share(sum(floors)), unit: '%' },
    { what: 'elements in the page, at most', p50: mostElements, unit: '', budget: BUDGET.elements },
    ...rows,
    { what: 'requests for a hundred posts', p50: (requests / POSTS) * 100, unit: '' },
  ]
}

/** A blank page as tall as the feed, scrolled as it is. */
async function measureFloor(browser: Browser, url: string): Promise<Frames> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  try {
    await context.route(`${url}/`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><style>div { height: 7000000px }</style><div></div>',
      }),
    )
    const page = await context.newPage()
    await page.goto(url)
    return await scrollEvenly(page, await context.newCDPSession(page), STRETCH_PIXELS)
  } finally {
    await context.close()
  }
}

const share = ({ slow, count }: Frames): number => (slow / count) * 100

const sum = (stretches: readonly Frames[]): Frames => ({
  count: stretches.reduce((total, { count }) => total + count, 0),
  slow: stretches.reduce((total, { slow }) => total + slow, 0),
  longestMs: Math.max(...stretches.map(({ longestMs }) => longestMs)),
})
