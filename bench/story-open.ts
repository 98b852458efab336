import type { Browser, Page } from '@playwright/test'
import { type Member, plantSession, signInMember } from '#tests/e2e/support/member'
import type { TestServer } from '#tests/e2e/support/server'
import { inBrowser } from './lib/browser'
import { summarise } from './lib/measure'
import { type Report, timesRow } from './lib/report'

const ROUNDS = 10
/** Most milliseconds from the click to the picture of the story (issue 5). */
const OPEN_BUDGET = 200

type Way = 'at once' | 'pointed at' | 'by keyboard' | 'quiet' | 'later'

/**
 * How long a member waits for the picture of a story, from the click or key press to the frame after the one that shows
 * it whole, in a fresh browser context each; against the same page asking for the same bytes and decoding them.
 */
export function measure(): Promise<Report> {
  return inBrowser('demo', async (browser, server) => {
    const [offered] = server.info.demo
    if (offered === undefined) throw new Error('The demo community offers nobody')
    const member = await signInMember(server.info, { ...offered, fullName: '' })
    const times: Record<Way | 'still' | 'floor', number[]> = {
      'at once': [],
      still: [],
      'pointed at': [],
      'by keyboard': [],
      quiet: [],
      later: [],
      floor: [],
    }
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const way of ['at once', 'pointed at', 'by keyboard', 'quiet', 'later'] as const) {
        const opened = await open(browser, server, member, way)
        if (round < 0) continue
        times[way].push(opened.whole)
        if (way === 'at once') times.still.push(opened.still)
        if (way === 'quiet') times.floor.push(opened.floor)
      }
    }
    return {
      name: 'story on screen',
      rows: [
        timesRow(
          'first one, clicked as soon as its bubble is there',
          summarise(times['at once']),
          OPEN_BUDGET,
        ),
        timesRow('  its still', summarise(times.still)),
        timesRow('first one, pointed at and clicked', summarise(times['pointed at']), OPEN_BUDGET),
        timesRow('first one, by keyboard', summarise(times['by keyboard']), OPEN_BUDGET),
        timesRow('first one, once the page is quiet', summarise(times.quiet), OPEN_BUDGET),
        timesRow('a later one', summarise(times.later), OPEN_BUDGET),
        timesRow('a request of the same bytes, decoded', summarise(times.floor)),
      ],
    }
  })
}

interface Opened {
  /** Milliseconds until something of the story is on screen, and until its picture is. */
  still: number
  whole: number
  floor: number
}

/** Opens a story in a new window of the browser, in one of the ways there are. */
async function open(
  browser: Browser,
  { url: origin, info }: TestServer,
  member: Member,
  way: Way,
): Promise<Opened> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 860 } })
  try {
    await plantSession(context, origin, member)
    const page = await context.newPage()
    await page.addInitScript(watchStory)
    await page.goto('/')
    const bubbles = page.locator('[data-bubble]')
    await bubbles.nth(1).waitFor()
    if (way === 'quiet' || way === 'later') await page.waitForLoadState('networkidle')
    if (way === 'later') {
      await bubbles.nth(1).click()
      await page.evaluate(() => (window as unknown as Watched).storyTimes)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    const opened = await openNow(page, way)
    return { ...opened, floor: way === 'quiet' ? await floorOf(page, member, info.publishableKey) : 0 }
  } finally {
    await context.close()
  }
}

/** Opens a story of the page that is there: its first one, or for `later` another. */
async function openNow(page: Page, way: Way): Promise<Omit<Opened, 'floor'>> {
  const bubble = page.locator('[data-bubble]').nth(way === 'later' ? 3 : 1)
  if (way === 'by keyboard') await bubble.press('Enter')
  // The pointer comes first, and the click a moment after it.
  else if (way === 'pointed at') await bubble.click()
  else await bubble.evaluate((element) => (element as HTMLElement).click())
  return page.evaluate(() => (window as unknown as Watched).storyTimes)
}

interface Watched {
  storyTimes: Promise<Omit<Opened, 'floor'>>
}

/** In the page: tells with each click how long it takes until a story is on screen. */
function watchStory(): void {
  const frame = () => new Promise((done) => requestAnimationFrame(done))
  const shown = async (selector: string, since: number): Promise<number> => {
    for (;;) {
      const picture = document.querySelector<HTMLImageElement>(`[role=dialog] ${selector}`)
      // What is replaced meanwhile cannot be decoded: then there is another one.
      const isReady =
        picture !== null &&
        (await picture.decode().then(
          () => true,
          () => false,
        ))
      if (isReady) {
        // The frame after the one that shows it begins once that one has been painted.
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
      ]).then(([still, whole]) => ({ still, whole }))
      Object.assign(window, { storyTimes })
    },
    { capture: true },
  )
}

/** Milliseconds that the same page takes to ask for the picture of the story on screen, and to decode and paint it. */
async function floorOf(page: Page, member: Member, key: string): Promise<number> {
  const { data } = await member.api.auth.getSession()
  const id = new URL(page.url()).searchParams.get('story') ?? ''
  return page.evaluate(
    async ({ id, token, key }) => {
      const begun = performance.now()
      const response = await fetch(`/rest/v1/stories?select=media_url&id=eq.${id}`, {
        headers: { authorization: `Bearer ${token}`, apikey: key },
      })
      const [row]: { media_url: string }[] = await response.json()
      const picture = new Image()
      picture.src = row?.media_url ?? ''
      await picture.decode()
      document.body.append(picture)
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
      return performance.now() - begun
    },
    { id, token: data.session?.access_token ?? '', key },
  )
}
