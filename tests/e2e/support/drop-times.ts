import type { Page } from '@playwright/test'
import type { ChosenFiles } from './files'

/** In milliseconds. */
export interface DropTimes {
  /** From the drop until every photo has its thumbnail. */
  thumbnails: number
  /** Decoding the same files, one by one, at the size of a thumbnail. */
  decoded: number
}

/** Decodes photos in the page, and then drops them on the composer, which must be empty. */
export async function timeDrop(page: Page, photos: ChosenFiles): Promise<DropTimes> {
  const input = await page.evaluateHandle(() =>
    Object.assign(document.createElement('input'), { type: 'file', multiple: true }),
  )
  await input.setInputFiles(photos)
  return input.evaluate(async ({ files: chosen }) => {
    const files = [...(chosen ?? [])]
    const startedAt = performance.now()
    for (const file of files) {
      const picture = await createImageBitmap(file, { resizeHeight: 1_200, resizeQuality: 'high' })
      picture.close()
    }
    const decodedAt = performance.now()
    const transfer = new DataTransfer()
    for (const file of files) transfer.items.add(file)
    document
      .querySelector('main')
      ?.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }))
    const areShown = () => {
      const pictures = [...document.querySelectorAll<HTMLImageElement>('[data-photo] img')]
      return pictures.length === files.length && pictures.every(({ naturalWidth }) => naturalWidth > 0)
    }
    while (!areShown()) await new Promise(requestAnimationFrame)
    return { thumbnails: performance.now() - decodedAt, decoded: decodedAt - startedAt }
  })
}
