import type { Browser } from '@playwright/test'
import { createMember, type Member, plantSession } from '#tests/e2e/support/member'
import { insertPosts } from '#tests/e2e/support/posts'
import { inBrowser } from './lib/browser'
import { summarise } from './lib/measure'
import { type Report, timesRow } from './lib/report'

const ROUNDS = 15
/** Most milliseconds until the first post is on screen, with the backend running (design.md section 9). */
const FIRST_POST_BUDGET = 1_200
/** The same, with the server to be started first. */
const FROM_START_BUDGET = 2_500
const STARTS = 7

/**
 * How long a member waits for the first post, from the address to the painted article, against the same browser
 * showing a page with one paragraph from the same server. Each in a fresh browser context, nothing cached.
 */
export function measure(): Promise<Report> {
  return inBrowser('empty', async (browser, server) => {
    const member = await createMember(server.info)
    await insertPosts(member, 40, { thumbnailBytes: 8_000 })
    const posts: number[] = []
    const empty: number[] = []
    for (let round = -2; round < ROUNDS; round += 1) {
      const post = await untilPainted(browser, server.url, 'article', member)
      const paragraph = await untilPainted(browser, server.url, 'p', null)
      if (round < 0) continue
      posts.push(post)
      empty.push(paragraph)
    }
    await server.stop()
    const starts: number[] = []
    for (let round = -1; round < STARTS; round += 1) {
      const begun = performance.now()
      await server.restart()
      const started = performance.now() - begun
      const post = await untilPainted(browser, server.url, 'article', member)
      if (round >= 0) starts.push(started + post)
      await server.stop()
    }
    return {
      name: 'first post',
      rows: [
        timesRow('first post on screen', summarise(posts), FIRST_POST_BUDGET),
        timesRow('an empty page', summarise(empty)),
        timesRow('first post, the server started first', summarise(starts), FROM_START_BUDGET),
      ],
    }
  })
}

/** Milliseconds from asking for the page until the first such element has been painted. */
async function untilPainted(
  browser: Browser,
  origin: string,
  element: string,
  member: Member | null,
): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  try {
    if (member === null) {
      await context.route(`${origin}/`, (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><p>Nothing here' }),
      )
    } else {
      await plantSession(context, origin, member)
    }
    const page = await context.newPage()
    await page.addInitScript((name) => {
      const painted = new Promise<number>((done, fail) => {
        setTimeout(() => fail(new Error(`no <${name}> within a minute`)), 60_000)
        const look = (): void => {
          if (document.querySelector(name) === null) requestAnimationFrame(look)
          // The frame after the one that lays it out begins once that one has been painted.
          else requestAnimationFrame(() => done(performance.now()))
        }
        look()
      })
      Object.assign(window, { painted })
    }, element)
    await page.goto(origin, { waitUntil: 'commit' })
    return await page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted)
  } finally {
    await context.close()
  }
}
