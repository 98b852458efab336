import type { Page } from '@playwright/test'
import { createMember, plantSession } from '#tests/e2e/support/member'
import { openPhotoGenerator } from '../scripts/test-photos/open-photo-generator.mjs'
import { withBrowser } from './lib/browser'
import { summarize } from './lib/measure'
import { type Report, type Row, timesRow } from './lib/report'

const ROUNDS = 5
const PHOTOS = 5
/** The most that five thumbnails may take, in times of decoding the same files at that size (docs/measurements.md). */
const DECODING_BUDGET = 2

interface Measured {
  decoded: number
  thumbnails: number
}

/** The time from five dropped photos of 12 megapixels to their thumbnails (CREATE-07). */
export function measure(): Promise<Report> {
  return withBrowser('empty', async (browser, server) => {
    const generator = await openPhotoGenerator(browser)
    const buffer = await generator.scene({
      width: 4_000,
      height: 3_000,
      orientation: 1,
      detail: 30_000,
      quality: 0.92,
    })
    const member = await createMember(server.info)
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 1280, height: 860 },
      reducedMotion: 'reduce',
    })
    await plantSession(context, server.url, member)
    const page = await context.newPage()
    const rounds: Measured[] = []
    for (let round = -1; round < ROUNDS; round += 1) {
      await page.goto('/create')
      await page.waitForLoadState('networkidle')
      const measured = await drop(page, buffer)
      if (round >= 0) rounds.push(measured)
      await page.getByRole('button', { name: 'Discard' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
      await page.locator('[data-photo]').first().waitFor({ state: 'detached' })
    }
    const thumbnails = rounds.map((round) => round.thumbnails)
    const decoded = rounds.map((round) => round.decoded)
    const ratio: Row = {
      what: '  ÷ decoding them at that size',
      p50: summarize(rounds.map((round) => round.thumbnails / round.decoded)).p50,
      unit: '×',
      budget: DECODING_BUDGET,
    }
    return {
      name: 'composer',
      rows: [
        timesRow('five photos of 12 megapixels: thumbnails', summarize(thumbnails)),
        ratio,
        timesRow('  decoded at that size', summarize(decoded)),
      ],
    }
  })
}

/** Drops the same photo five times on the form. */
async function drop(page: Page, buffer: Buffer): Promise<Measured> {
  await page.evaluate(() => {
    document.querySelector('#five')?.remove()
    document.body.append(
      Object.assign(document.createElement('input'), { type: 'file', multiple: true, id: 'five' }),
    )
  })
  const files = Array.from({ length: PHOTOS }, (_, at) => ({
    name: `${at}.jpg`,
    mimeType: 'image/jpeg',
    buffer,
  }))
  await page.locator('#five').setInputFiles(files)
  return page.evaluate(async (count) => {
    const chosen = [...(document.querySelector<HTMLInputElement>('#five')?.files ?? [])]
    const startedAt = performance.now()
    for (const file of chosen) {
      const picture = await createImageBitmap(file, { resizeHeight: 1_200, resizeQuality: 'high' })
      picture.close()
    }
    const decodedAt = performance.now()
    const transfer = new DataTransfer()
    for (const file of chosen) transfer.items.add(file)
    document
      .querySelector('main')
      ?.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
    const areShown = () => {
      const pictures = [...document.querySelectorAll<HTMLImageElement>('[data-photo] img')]
      return pictures.length === count && pictures.every(({ naturalWidth }) => naturalWidth > 0)
    }
    while (!areShown()) await new Promise(requestAnimationFrame)
    return { decoded: decodedAt - startedAt, thumbnails: performance.now() - decodedAt }
  }, PHOTOS)
}
