import { fileOf } from '#/renderer/lib/browser/object-url-store'
import { isoDay } from '#/renderer/lib/content/time'
import { logIfFails } from '#/renderer/lib/core/logger'
import type { DesktopBridge, SavedPicture } from '#/shared/bridge'

/** The day of a server's time, in the member's time zone; null if it is none. */
function dayOf(time: string): string | null {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? null : isoDay(date)
}

async function answerFor(url: string): Promise<SavedPicture> {
  const shown = [...document.images].find(({ currentSrc }) => currentSrc === url)
  const { author = null, createdAt = null } = shown?.dataset ?? {}
  const file = fileOf(url)
  return {
    author,
    date: createdAt === null ? null : dayOf(createdAt),
    bytes: file === undefined ? null : new Uint8Array(await file.arrayBuffer()),
  }
}

/** Answers the host, which saves a picture but knows neither its author nor what is behind a `blob:` URL. */
export function answerSavedPictures({ onPictureAsked, savePicture }: DesktopBridge['files']): () => void {
  return onPictureAsked((url) => logIfFails('save picture', answerFor(url).then(savePicture)))
}
