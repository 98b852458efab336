import type { Browser, CDPSession, Page } from '@playwright/test'
import { residentMegabytes } from '#tests/backend/support/resident-memory'

/** Pixels per second: five screens. */
const SCROLL_SPEED = 4_000
/** A slow frame takes longer than two frames at 60 Hz. */
const SLOW_FRAME_MS = 33.4

/** The frames of a scrolled section. */
export interface Frames {
  count: number
  slow: number
  longestMs: number
}

/** Slow frames in percent. */
export const slowShare = ({ slow, count }: Frames): number => (slow / count) * 100

/** Scrolls down with the wheel and measures every frame. */
export async function scrollAtConstantSpeed(
  page: Page,
  devtools: CDPSession,
  pixels: number,
  speed = SCROLL_SPEED,
): Promise<Frames> {
  await page.evaluate((slowMs) => {
    const frames = { count: 0, slow: 0, longestMs: 0 }
    let last = performance.now()
    let hasEnded = false
    const step = (now: number) => {
      if (hasEnded) return
      frames.count += 1
      if (now - last > slowMs) frames.slow += 1
      frames.longestMs = Math.max(frames.longestMs, now - last)
      last = now
      requestAnimationFrame(step)
    }
    requestAnimationFrame((now) => {
      last = now
      requestAnimationFrame(step)
    })
    Object.assign(window, {
      endOfFrames: () => {
        hasEnded = true
        return frames
      },
    })
  }, SLOW_FRAME_MS)
  await devtools.send('Input.synthesizeScrollGesture', {
    x: 640,
    y: 430,
    yDistance: -pixels,
    speed,
    gestureSourceType: 'mouse',
    preventFling: true,
  })
  return page.evaluate(() => (window as unknown as { endOfFrames: () => Frames }).endOfFrames())
}

/** Scrolls down as fast as the feed loads until the post at a position (from 1) is in the DOM. */
export async function scrollToPost(page: Page, position: number): Promise<void> {
  await page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const step = () => {
          const shown = [...document.querySelectorAll('[role=feed] [aria-posinset]')]
          const last = Math.max(0, ...shown.map((post) => Number(post.getAttribute('aria-posinset'))))
          if (last >= wanted) return resolve()
          window.scrollTo(0, document.documentElement.scrollHeight)
          requestAnimationFrame(step)
        }
        step()
      }),
    position,
  )
}

/** The number of DOM elements, and the JavaScript heap in MB after a garbage collection. */
export async function measureMemory(
  page: Page,
  devtools: CDPSession,
): Promise<{ elements: number; heapMB: number }> {
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  return {
    elements: await page.evaluate(() => document.querySelectorAll('*').length),
    heapMB: usedSize / 1024 / 1024,
  }
}

/** Resident memory in MB of the renderer process that has the most: Chromium may keep an empty one ready. */
export async function largestRenderer(browser: Browser): Promise<number | null> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  await devtools.detach()
  const renderers = processInfo.filter(({ type }) => type === 'renderer')
  const sizes = await Promise.all(renderers.map(({ id }) => residentMegabytes(id)))
  const known = sizes.filter((size) => size !== null)
  return known.length === 0 ? null : Math.max(...known)
}
