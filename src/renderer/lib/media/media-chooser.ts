import { logFailure } from '#/renderer/lib/logger'
import { FILE_TOO_LARGE, type FileKind, type PickedFile } from '#/shared/bridge'
import { bridgeErrorCode } from '#/shared/bridge-error'
import type { MediaChoiceChange } from './media-choice'
import { MediaError, type MediaErrorCode } from './media-error'
import type { PrepareOptions } from './picture-queue'

interface MediaChooserOptions<Media> {
  /** What is being done, for the log. */
  what: string
  prepare: (source: Blob, options: PrepareOptions) => Promise<Media>
  onChange: (change: MediaChoiceChange<Media>) => void
}

/** All of it may be handed on without its object. */
interface MediaChooser {
  /** Makes a file ready; a newer one ends the work on it, and nothing more is heard of it. */
  take: (source: Blob) => Promise<void>
  /** Takes the file that the host hands over, if it does. */
  takeFile: (ask: () => Promise<PickedFile | null>, kind?: FileKind) => Promise<void>
  /** Ends the work on a file, if there is any. */
  cancel: () => void
}

/** Makes chosen files ready on this machine, one at a time, and tells what becomes of them. */
export function createMediaChooser<Media>({
  what,
  prepare,
  onChange,
}: MediaChooserOptions<Media>): MediaChooser {
  let running: AbortController | null = null

  const take = async (source: Blob) => {
    running?.abort()
    const work = new AbortController()
    running = work
    const tell = (change: MediaChoiceChange<Media>) => {
      if (running === work) onChange(change)
    }
    tell({ type: 'chosen' })
    try {
      const media = await prepare(source, {
        signal: work.signal,
        onProgress: (fraction) => tell({ type: 'progress', fraction }),
      })
      tell({ type: 'ready', media })
    } catch (cause) {
      if (running === work) onChange({ type: 'refused', code: refusalOf(cause, what) })
    } finally {
      if (running === work) running = null
    }
  }

  const takeFile = async (ask: () => Promise<PickedFile | null>, kind?: FileKind) => {
    try {
      const file = await ask()
      if (file !== null) await take(new Blob([file.bytes]))
    } catch (cause) {
      onChange({ type: 'refused', code: refusalOf(cause, what, kind) })
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

/**
 * Why a file of this kind could not be taken. A file that is refused is the member's matter, and they are told; what
 * broke is ours, and logged.
 */
export function refusalOf(cause: unknown, what: string, kind: FileKind = 'photo'): MediaErrorCode {
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
