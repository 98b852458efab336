import { logFailure } from '#/renderer/lib/core/logger'
import { showToast } from '#/renderer/lib/core/toasts'
import { texts } from '#/renderer/lib/texts'

/** Copies a link, and says whether that worked. */
export async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link)
    showToast({ text: texts.share.copied })
  } catch (cause) {
    logFailure('copy link', cause)
    showToast({ text: texts.share.failedCopy })
  }
}
