import type { FileChooser, Locator, Page } from '@playwright/test'

export type ChosenFiles = Parameters<FileChooser['setFiles']>[0]

/** Presses what opens the file dialog, and chooses files there. Those given by path do not pass through the page. */
export async function chooseFiles(opener: Locator, files: ChosenFiles): Promise<void> {
  const chooser = opener.page().waitForEvent('filechooser')
  await opener.click()
  await (await chooser).setFiles(files)
}

/** Chooses photos for a post, whether or not it has some. */
export function choosePhotos(page: Page, files: ChosenFiles): Promise<void> {
  const opener = page.getByRole('button', {
    name: /^(Choose photos|Add photos)$/,
  })
  return chooseFiles(opener, files)
}

/**
 * Drags a file from disk over the page and drops it, with trusted events, as the system does.
 * @param whileOver what is checked before the drop
 */
export async function dropFile(page: Page, path: string, whileOver?: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data })
  await drag('dragEnter')
  await drag('dragOver')
  await whileOver?.()
  // Over what has appeared.
  await drag('dragOver')
  await drag('drop')
  await session.detach()
}
