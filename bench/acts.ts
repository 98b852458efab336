import type { Browser } from '@playwright/test'
import { startConversation, write } from '#tests/e2e/support/conversations'
import { createMember, type Member } from '#tests/e2e/support/member'
import { insertPosts } from '#tests/e2e/support/posts'
import { openContext, withBrowser } from './lib/browser'
import { summarize } from './lib/measure'
import { type Report, timesRow } from './lib/report'

const ROUNDS = 10
const MESSAGES = 30

/** The time from a click to the painted result: a like in the feed, a conversation of thirty messages, an open post. */
export function measure(): Promise<Report> {
  return withBrowser('empty', async (browser, server) => {
    const member = await createMember(server.info)
    const other = await createMember(server.info)
    await insertPosts(other, 20, { thumbnailBytes: 8_000 })
    const conversation = await startConversation(member, other)
    for (let number = 1; number <= MESSAGES; number += 1) await write(other, conversation, `Number ${number}`)
    const times = { like: [] as number[], conversation: [] as number[], post: [] as number[] }
    for (let round = -2; round < ROUNDS; round += 1) {
      // A member who has liked nothing yet.
      const like = await act(browser, server.url, await createMember(server.info), {
        path: '/',
        click: 'article button[aria-pressed]',
        result: 'article button[aria-pressed=true]',
      })
      const opened = await act(browser, server.url, member, {
        path: '/messages',
        click: 'main li a[href*="c="], main li button',
        result: '[role=log] article, main article',
      })
      const post = await act(browser, server.url, member, {
        path: '/',
        click: 'article a[href*="post="]',
        result: '[role=dialog] textarea',
      })
      if (round < 0) continue
      times.like.push(like)
      times.conversation.push(opened)
      times.post.push(post)
    }
    return {
      name: 'acts',
      rows: [
        timesRow('like in the feed', summarize(times.like)),
        timesRow(`conversation of ${MESSAGES} messages`, summarize(times.conversation)),
        timesRow('open post', summarize(times.post)),
      ],
    }
  })
}

interface Act {
  path: string
  /** Selectors of what is clicked, the first one, and of what the click shows. */
  click: string
  result: string
}

/** Milliseconds from a click on a quiet page in a new browser context until its result is painted. */
async function act(browser: Browser, origin: string, member: Member, { path, click, result }: Act) {
  const context = await openContext(browser, origin, member, { reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    await page.goto(path)
    await page.locator(click).first().waitFor()
    await page.waitForLoadState('networkidle')
    return await page.evaluate(
      async ([clicked = '', shown = '']) => {
        const frame = () => new Promise((done) => requestAnimationFrame(done))
        const target = document.querySelector<HTMLElement>(clicked)
        if (target === null) throw new Error(`No ${clicked}`)
        const startedAt = performance.now()
        target.click()
        while (document.querySelector(shown) === null) await frame()
        // The second frame starts after the frame with the result has been painted.
        await frame()
        await frame()
        return performance.now() - startedAt
      },
      [click, result],
    )
  } finally {
    await context.close()
  }
}
