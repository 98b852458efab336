import type { Browser, Page } from '@playwright/test'
import { type Member, signInMember } from '#tests/e2e/support/member'
import type { TestServer } from '#tests/e2e/support/server'
import { openContext, withBrowser } from './lib/browser'
import { summarize } from './lib/measure'
import { type Report, timesRow } from './lib/report'

const ROUNDS = 10
/** Maximum time from the click to the picture of the story, in ms (docs/measurements.md). */
const OPEN_BUDGET = 100

/** `immediate`: a click as soon as the bubble exists; `another`: a story other than the first. */
type Scenario = 'immediate' | 'hover' | 'keyboard' | 'idle' | 'another'

/**
 * The time from the click or key press to the painted picture of a story, each in a new browser context. The baseline is a
 * request for the same bytes, plus decoding, in the same page.
 */
export function measure(): Promise<Report> {
  return withBrowser('demo', async (browser, server) => {
    const [offered] = server.info.demo
    if (offered === undefined) throw new Error('The demo community has no demo members')
    const member = await signInMember(server.info, { ...offered, fullName: '' })
    const times: Record<Scenario | 'thumbnail' | 'baseline', number[]> = {
      immediate: [],
      thumbnail: [],
      hover: [],
      keyboard: [],
      idle: [],
      another: [],
      baseline: [],
    }
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const scenario of ['immediate', 'hover', 'keyboard', 'idle', 'another'] as const) {
        const opened = await open(browser, server, member, scenario)
        if (round < 0) continue
        times[scenario].push(opened.picture)
        if (scenario === 'immediate') times.thumbnail.push(opened.thumbnail)
        if (scenario === 'idle') times.baseline.push(opened.baseline)
      }
    }
    return {
      name: 'story on screen',
      rows: [
        timesRow('first story, clicked while the page loads', summarize(times.immediate), OPEN_BUDGET),
        timesRow('  its thumbnail', summarize(times.thumbnail)),
        timesRow('first story, hovered and clicked', summarize(times.hover), OPEN_BUDGET),
        timesRow('first story, by keyboard', summarize(times.keyboard), OPEN_BUDGET),
        timesRow('first story, on an idle page', summarize(times.idle), OPEN_BUDGET),
        timesRow('another story', summarize(times.another), OPEN_BUDGET),
        timesRow('a request for the same bytes, decoded', summarize(times.baseline)),
      ],
    }
  })
}

interface Opened {
  /** Milliseconds until the thumbnail, and until the full picture, is on screen. */
  thumbnail: number
  picture: number
  baseline: number
}

/** Opens a story in a new browser context. */
async function open(
  browser: Browser,
  { url: origin }: TestServer,
  member: Member,
  scenario: Scenario,
): Promise<Opened> {
  const context = await openContext(browser, origin, member)
  try {
    const page = await context.newPage()
    await page.addInitScript(watchStory)
    await page.goto('/')
    const bubbles = page.locator('[data-bubble]')
    await bubbles.nth(1).waitFor()
    if (scenario === 'idle' || scenario === 'another') await page.waitForLoadState('networkidle')
    if (scenario === 'another') {
      await bubbles.nth(1).click()
      await page.evaluate(() => (window as unknown as Watched).storyTimes)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const opened = await openStory(page, scenario)
    return {
      ...opened,
      baseline: scenario === 'idle' ? await measureBaseline(page) : 0,
    }
  } finally {
    await context.close()
  }
}

async function openStory(page: Page, scenario: Scenario): Promise<Omit<Opened, 'baseline'>> {
  const bubble = page.locator('[data-bubble]').nth(scenario === 'another' ? 3 : 1)
  if (scenario === 'keyboard') await bubble.press('Enter')
  // Playwright moves the pointer before it clicks.
  else if (scenario === 'hover') await bubble.click()
  else await bubble.evaluate((element) => (element as HTMLElement).click())
  return page.evaluate(() => (window as unknown as Watched).storyTimes)
}

interface Watched {
  storyTimes: Promise<Omit<Opened, 'baseline'>>
}

/** Runs in the page: measures, from each click, the time until a story is on screen. */
function watchStory(): void {
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  const shown = async (selector: string, since: number): Promise<number> => {
    for (;;) {
      const picture = document.querySelector<HTMLImageElement>(`[role=dialog] ${selector}`)
      // Decoding fails if the image element has been replaced; the loop then finds the new one.
      const isReady =
        picture !== null &&
        (await picture.decode().then(
          () => true,
          () => false,
        ))
      if (isReady) {
        // The second frame starts after the frame with the picture has been painted.
        await frame()
        await frame()
        return performance.now() - since
      }
      await frame()
    }
  }
  window.addEventListener(
    'click',
    ({ timeStamp }) => {
      const storyTimes = Promise.all([
        shown('img', timeStamp),
        shown('img[alt^="Story by"]', timeStamp),
      ]).then(([thumbnail, picture]) => ({ thumbnail, picture }))
      Object.assign(window, { storyTimes })
    },
    { capture: true },
  )
}

/** Milliseconds that the same page takes to request, decode and paint the picture of the open story. */
function measureBaseline(page: Page): Promise<number> {
  return page.getByRole('img', { name: /^Story by/ }).evaluate(async (shown) => {
    const startedAt = performance.now()
    const response = await fetch((shown as HTMLImageElement).currentSrc, { cache: 'reload' })
    const picture = new Image()
    picture.src = URL.createObjectURL(await response.blob())
    await picture.decode()
    document.body.append(picture)
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    return performance.now() - startedAt
  })
}
