import { logFailure } from './logger'
import { texts } from './texts'
import { showToast } from './toasts'

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
