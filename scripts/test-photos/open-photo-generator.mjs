// @ts-check
import { join } from 'node:path'

/**
 * Opens a page with `photo-generator.js`. Returns its functions; each returns the bytes of an image.
 * @param {import('@playwright/test').Browser} browser
 */
export async function openPhotoGenerator(browser) {
  const page = await browser.newPage()
  // WebCodecs, which encodes the AVIF, exists in secure contexts only.
  await page.route('https://photos.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '' }),
  )
  await page.goto('https://photos.example/')
  await page.addScriptTag({ path: join(import.meta.dirname, 'photo-generator.js') })

  /**
   * @param {string} name of a function of the generator
   * @returns {(options: object) => Promise<Buffer>}
   */
  const call = (name) => async (options) => {
    const base64 = await page.evaluate(`window.photoGenerator.${name}(${JSON.stringify(options)})`)
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
