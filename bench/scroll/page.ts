import type { CDPSession, Page } from '@playwright/test'

/** How one reads on in a hurry, in pixels a second: five screens. */
const PIXELS_A_SECOND = 4_000
/** What a frame may take, in milliseconds: two of a screen's sixty a second, about. */
const SLOW_FRAME_MS = 33.4

/** Frames of a stretch that was scrolled. */
export interface Frames {
  count: number
  slow: number
  longestMs: number
}

/** Scrolls down with the wheel at an even pace for so many pixels, measuring every frame. */
export async function scrollEvenly(page: Page, devtools: CDPSession, pixels: number): Promise<Frames> {
  await page.evaluate((slowMs) => {
    const frames = { count: 0, slow: 0, longestMs: 0 }
    let last = performance.now()
    let isOver = false
    const step = (now: number) => {
      if (isOver) return
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
        isOver = true
        return frames
      },
    })
  }, SLOW_FRAME_MS)
  await devtools.send('Input.synthesizeScrollGesture', {
    x: 640,
    y: 430,
    yDistance: -pixels,
    speed: PIXELS_A_SECOND,
    gestureSourceType: 'mouse',
    preventFling: true,
  })
  return page.evaluate(() => (window as unknown as { endOfFrames: () => Frames }).endOfFrames())
}

/** Goes down as fast as the feed is read, until the post of this place (from 1) is in the page. */
export async function hurryTo(page: Page, place: number): Promise<void> {
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
    place,
  )
}

/** What the page holds once its rubbish is gone: elements, and JavaScript's memory in MB. */
export async function takeStock(
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
