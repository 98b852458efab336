import type { Page } from '@playwright/test'

/** Lets the workers of each page work, or holds their work back. */
export interface WorkerGate {
  hold(): Promise<void>
  release(): Promise<void>
}

interface HeldWork {
  isHolding: boolean
  held: (() => void)[]
}

declare global {
  interface Window {
    heldWork: HeldWork
    releaseReads(): void
    isPreparationBroken: boolean
  }
}

/**
 * Puts a gate before the workers of the page, which decode and encode pictures. Call it before the page loads.
 * @param isHolding whether it starts closed
 */
export async function workerGate(page: Page, isHolding = false): Promise<WorkerGate> {
  await page.addInitScript((isClosed) => {
    const post = Worker.prototype.postMessage
    const work: HeldWork = { isHolding: isClosed, held: [] }
    Worker.prototype.postMessage = function (this: Worker, content: unknown) {
      if (work.isHolding) work.held.push(() => post.call(this, content))
      else post.call(this, content)
    }
    window.heldWork = work
  }, isHolding)
  return {
    hold: () =>
      page.evaluate(() => {
        window.heldWork.isHolding = true
      }),
    release: () =>
      page.evaluate(() => {
        window.heldWork.isHolding = false
        for (const send of window.heldWork.held.splice(0)) send()
      }),
  }
}

/**
 * Lets photos be shown and edited, but not prepared: the worker gets a damaged file. Call it before the page loads, and the returned
 * function for photos to be prepared again.
 */
export async function breakPreparation(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage
    window.isPreparationBroken = true
    Worker.prototype.postMessage = function (this: Worker, content: Record<string, unknown>) {
      const isPreparation =
        'id' in content && 'source' in content && !('type' in content) && !('preview' in content)
      if (isPreparation && window.isPreparationBroken)
        post.call(this, { ...content, source: new Blob(['?']) })
      else post.call(this, content)
    }
  })
  return () =>
    page.evaluate(() => {
      window.isPreparationBroken = false
    })
}

/** Holds the reading of chosen files back until the returned function is called. Call it before the page loads. */
export async function holdReads(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const read = File.prototype.arrayBuffer
    const released = new Promise<void>((resolve) => {
      window.releaseReads = resolve
    })
    File.prototype.arrayBuffer = async function (this: File) {
      await released
      return read.call(this)
    }
  })
  return () => page.evaluate(() => window.releaseReads())
}

/** Drops a picture on the page. */
export async function dropPicture(page: Page, name: string, content: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ called, bytes }) => {
      const files = new DataTransfer()
      files.items.add(new File([new Uint8Array(bytes)], called, { type: 'image/png' }))
      return files
    },
    { called: name, bytes: [...content] },
  )
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
}
