import { logFailure } from '#/renderer/lib/logger'
import { FILE_TOO_LARGE, type FileKind, type PickedFile } from '#/shared/bridge'
import { bridgeErrorCode } from '#/shared/bridge-error'
import type { MediaChoiceChange } from './media-choice'
import { MediaError, type MediaErrorCode } from './media-error'
import type { PrepareOptions } from './picture-queue'

interface MediaChooserOptions<Media> {
  /** Names the action in the log. */
  what: string
  prepare: (source: Blob, options: PrepareOptions) => Promise<Media>
  onChange: (change: MediaChoiceChange<Media>) => void
}

/** The methods do not use `this` and can be passed on. */
interface MediaChooser {
  /** Prepares a file. A newer call aborts this one and suppresses its events. */
  take: (source: Blob) => Promise<void>
  /** Prepares the file that the host returns, if any. */
  takeFile: (ask: () => Promise<PickedFile | null>, kind?: FileKind) => Promise<void>
  /** Aborts the preparation, if one is running. */
  cancel: () => void
}

/** Prepares chosen files one at a time, and reports their state. */
export function createMediaChooser<Media>({
  what,
  prepare,
  onChange,
}: MediaChooserOptions<Media>): MediaChooser {
  let running: AbortController | null = null

  const take = async (source: Blob) => {
    running?.abort()
    const controller = new AbortController()
    running = controller
    const report = (change: MediaChoiceChange<Media>) => {
      if (running === controller) onChange(change)
    }
    report({ type: 'chosen' })
    try {
      const media = await prepare(source, {
        signal: controller.signal,
        onProgress: (fraction) => report({ type: 'progress', fraction }),
      })
      report({ type: 'ready', media })
    } catch (cause) {
      if (running === controller) onChange({ type: 'refused', code: toMediaErrorCode(cause, what) })
    } finally {
      if (running === controller) running = null
    }
  }

  const takeFile = async (ask: () => Promise<PickedFile | null>, kind?: FileKind) => {
    try {
      const file = await ask()
      if (file !== null) await take(new Blob([file.bytes]))
    } catch (cause) {
      onChange({ type: 'refused', code: toMediaErrorCode(cause, what, kind) })
    }
  }

  const cancel = () => {
    if (running === null) return
    running.abort()
    running = null
    onChange({ type: 'cancelled' })
  }

  return { take, takeFile, cancel }
}

/** Maps an error to the reason shown to the member. Unexpected errors are also logged. */
export function toMediaErrorCode(cause: unknown, what: string, kind: FileKind = 'photo'): MediaErrorCode {
  const code = codeOf(cause, kind)
  if (code === 'failed' || code === 'video-failed') logFailure(what, cause)
  return code
}

function codeOf(cause: unknown, kind: FileKind): MediaErrorCode {
  if (cause instanceof MediaError) return cause.code
  const isTooLarge = bridgeErrorCode(cause) === FILE_TOO_LARGE
  if (kind === 'video') return isTooLarge ? 'video-too-large' : 'video-failed'
  return isTooLarge ? 'too-large' : 'failed'
}
