import { drawScene } from '#tests/e2e/fixtures/scene'
import { type DropTimes, timeDrop } from '#tests/e2e/support/drop-times'
import { createMember } from '#tests/e2e/support/member'
import { openContext, withBrowser } from './lib/browser'
import { summarize } from './lib/measure'
import { type Report, type Row, timesRow } from './lib/report'

const ROUNDS = 5
const PHOTOS = 5
/** The most that five thumbnails may take, in times of decoding the same files at that size (docs/measurements.md). */
const DECODING_BUDGET = 2

/** The time from five dropped photos of 12 megapixels to their thumbnails (CREATE-07). */
export function measure(): Promise<Report> {
  return withBrowser('empty', async (browser, server) => {
    const buffer = await drawScene(browser, { width: 4_000, height: 3_000, detail: 30_000 })
    const photos = Array.from({ length: PHOTOS }, (_, at) => ({
      name: `${at}.jpg`,
      mimeType: 'image/jpeg',
      buffer,
    }))
    const member = await createMember(server.info)
    const context = await openContext(browser, server.url, member, { reducedMotion: 'reduce' })
    const page = await context.newPage()
    const rounds: DropTimes[] = []
    for (let round = -1; round < ROUNDS; round += 1) {
      await page.goto('/create')
      await page.waitForLoadState('networkidle')
      const measured = await timeDrop(page, photos)
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
