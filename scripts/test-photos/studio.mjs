// @ts-check
import { join } from 'node:path'

/**
 * A page of this browser with `studio.js` in it, as functions that give bytes.
 * @param {import('@playwright/test').Browser} browser
 */
export async function openStudio(browser) {
  const page = await browser.newPage()
  // WebCodecs, which the AVIF comes from, exist in secure contexts only.
  await page.route('https://studio.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '' }),
  )
  await page.goto('https://studio.example/')
  await page.addScriptTag({ path: join(import.meta.dirname, 'studio.js') })

  /**
   * @param {string} name of one of the studio's functions
   * @returns {(options: object) => Promise<Buffer>}
   */
  const call = (name) => async (options) => {
    const base64 = await page.evaluate(`window.studio.${name}(${JSON.stringify(options)})`)
    return Buffer.from(String(base64), 'base64')
  }

  return {
    scene: call('scene'),
    plain: call('plain'),
    disc: call('disc'),
    av1: call('av1'),
    close: () => page.close(),
  }
}
