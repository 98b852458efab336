import type { Browser } from '@playwright/test'
import { createMember, type Member } from '#tests/e2e/support/member'
import { insertPosts } from '#tests/e2e/support/posts'
import { openContext, withBrowser } from './lib/browser'
import { summarize } from './lib/measure'
import { type Report, timesRow } from './lib/report'

const ROUNDS = 15
/** Maximum time until the first post is on screen, with the backend running, in ms (docs/measurements.md). */
const FIRST_POST_BUDGET = 1_200
/** The same including the start of the server. */
const FROM_START_BUDGET = 2_500
const STARTS = 7

/**
 * The time from navigation to the first painted post, compared with a page with one paragraph from the same server. Each
 * round uses a new browser context, so that nothing is cached.
 */
export function measure(): Promise<Report> {
  return withBrowser('empty', async (browser, server) => {
    const member = await createMember(server.info)
    await insertPosts(member, 40, { thumbnailBytes: 8_000 })
    const posts: number[] = []
    const empty: number[] = []
    for (let round = -2; round < ROUNDS; round += 1) {
      const post = await timeToPaint(browser, server.url, 'article', member)
      const paragraph = await timeToPaint(browser, server.url, 'p', null)
      if (round < 0) continue
      posts.push(post)
      empty.push(paragraph)
    }
    await server.stop()
    const starts: number[] = []
    for (let round = -1; round < STARTS; round += 1) {
      const startedAt = performance.now()
      await server.restart()
      const startMs = performance.now() - startedAt
      const post = await timeToPaint(browser, server.url, 'article', member)
      if (round >= 0) starts.push(startMs + post)
      await server.stop()
    }
    return {
      name: 'first post',
      rows: [
        timesRow('first post on screen', summarize(posts), FIRST_POST_BUDGET),
        timesRow('an empty page', summarize(empty)),
        timesRow('first post, including the server start', summarize(starts), FROM_START_BUDGET),
      ],
    }
  })
}

/** Milliseconds from the start of the navigation until an element is painted. */
async function timeToPaint(
  browser: Browser,
  origin: string,
  element: string,
  member: Member | null,
): Promise<number> {
  const context = await openContext(browser, origin, member)
  try {
    if (member === null) {
      await context.route(`${origin}/`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><p>Nothing here' }),
      )
    }
    const page = await context.newPage()
    await page.addInitScript((name) => {
      const painted = new Promise<number>((done, fail) => {
        setTimeout(() => fail(new Error(`no <${name}> within a minute`)), 60_000)
        const check = (): void => {
          if (document.querySelector(name) === null) requestAnimationFrame(check)
          // The next frame starts after the frame with the element has been painted.
          else requestAnimationFrame(() => done(performance.now()))
        }
        check()
      })
      Object.assign(window, { painted })
    }, element)
    await page.goto(origin, { waitUntil: 'commit' })
    return await page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted)
  } finally {
    await context.close()
  }
}
