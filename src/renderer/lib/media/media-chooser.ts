import { logFailure } from '#/renderer/lib/core/logger'
import type { PrepareOptions } from '#/renderer/lib/media/picture/picture-request'
import type { PickedFile } from '#/shared/bridge'
import { bridgeErrorCode, bridgeErrorText, FILE_TOO_LARGE } from '#/shared/bridge-error'
import { nameOf } from './source/file-refusal'
import { MediaError, type MediaErrorCode, type MediaRefusal } from './source/media-error'
import type { MediaFile } from './source/media-file'

/**
 * State of a file picker. `previous` is the media that was ready before; it stays if the new file is refused or
 * cancelled.
 */
export type MediaChoice<Media> =
  | { state: 'none' }
  /** `preview` is a small version of the new file, once there is one. */
  | { state: 'working'; progress: number; preview: Blob | null; previous: Media | null }
  | { state: 'ready'; media: Media }
  | ({ state: 'refused'; name: string | null; previous: Media | null } & MediaRefusal)

export type MediaChoiceChange<Media> =
  | { type: 'chosen' }
  | { type: 'progress'; fraction: number }
  | { type: 'previewed'; preview: Blob }
  | { type: 'ready'; media: Media }
  /** `name` is the file's, if it has one. */
  | ({ type: 'refused'; name: string | null } & MediaRefusal)
  | { type: 'cancelled' }

/** The media to send: the ready one, or the previous one while a new file is in progress or refused. */
export function mediaOf<Media>(choice: MediaChoice<Media>): Media | null {
  switch (choice.state) {
    case 'none':
      return null
    case 'ready':
      return choice.media
    default:
      return choice.previous
  }
}

/** The previous media stays when the next file is refused or cancelled (CREATE-05). */
export function mediaChoiceReducer<Media>(
  choice: MediaChoice<Media>,
  change: MediaChoiceChange<Media>,
): MediaChoice<Media> {
  const previous = mediaOf(choice)
  switch (change.type) {
    case 'chosen':
      return { state: 'working', progress: 0, preview: null, previous }
    case 'progress':
      return choice.state === 'working' ? { ...choice, progress: change.fraction } : choice
    case 'previewed':
      return choice.state === 'working' ? { ...choice, preview: change.preview } : choice
    case 'ready':
      return { state: 'ready', media: change.media }
    case 'refused': {
      const { type, ...refusal } = change
      return { state: type, ...refusal, previous }
    }
    case 'cancelled':
      return previous === null ? { state: 'none' } : { state: 'ready', media: previous }
  }
}

interface MediaChooserOptions<Media, Source> {
  /** Names the action in the log. */
  what: string
  prepare: (source: Source | File, options: PrepareOptions) => Promise<Media>
  /** Makes a small version in little time, which is shown while the file is prepared; null if there is none. */
  preview: (source: Source | File, options: Pick<PrepareOptions, 'signal'>) => Promise<Blob | null>
  onChange: (change: MediaChoiceChange<Media>) => void
  /**
   * Called with true before the host is asked for a file, and with false once 'chosen' is reported or there is none. If it is asked
   * again meanwhile, with false after the last answer.
   */
  onAsking?: (isAsking: boolean) => void
}

/** The methods do not use `this` and can be passed on. */
interface MediaChooser<Source> {
  /** Prepares a file. A newer call aborts this one and suppresses its events. */
  take: (source: Source) => Promise<void>
  /** Prepares the file that the host returns, if any, unless a file that was chosen later has been taken meanwhile. */
  takeFile: (ask: () => Promise<PickedFile | null>) => Promise<void>
  /** Aborts the preparation, if one is running. */
  cancel: () => void
}

/** Prepares chosen files one at a time, and reports their state. */
export function createMediaChooser<Media, Source extends MediaFile = Blob>({
  what,
  prepare,
  preview,
  onChange,
  onAsking,
}: MediaChooserOptions<Media, Source>): MediaChooser<Source> {
  let running: AbortController | null = null

  let asking = 0
  /** Choices are numbered in the order of their questions. */
  let lastTurn = 0
  let takenTurn = 0

  const prepareSource = async (source: Source | File) => {
    running?.abort()
    const controller = new AbortController()
    running = controller
    const report = (change: MediaChoiceChange<Media>) => {
      if (running === controller) onChange(change)
    }
    report({ type: 'chosen' })
    // It is asked for first, so that it is ready first.
    const { signal } = controller
    preview(source, { signal }).then(
      (small) => small !== null && report({ type: 'previewed', preview: small }),
      (cause: unknown) => {
        // The same file is refused when it is prepared.
        if (!(cause instanceof MediaError) && !signal.aborted) logFailure(what, cause)
      },
    )
    try {
      const media = await prepare(source, {
        signal,
        onProgress: (fraction) => report({ type: 'progress', fraction }),
      })
      report({ type: 'ready', media })
    } catch (cause) {
      if (running === controller)
        onChange({ type: 'refused', ...toMediaRefusal(cause, what), name: nameOf(source) })
    } finally {
      if (running === controller) running = null
    }
  }

  const takeFile = async (ask: () => Promise<PickedFile | null>) => {
    lastTurn += 1
    const turn = lastTurn
    asking += 1
    if (asking === 1) onAsking?.(true)
    const endAsking = () => {
      asking -= 1
      if (asking === 0) onAsking?.(false)
    }
    try {
      const file = await ask()
      const isWanted = file !== null && turn > takenTurn
      if (isWanted) takenTurn = turn
      const taken = isWanted ? prepareSource(new File([file.bytes], file.name)) : null
      endAsking()
      await taken
    } catch (cause) {
      endAsking()
      onChange({ type: 'refused', code: toMediaErrorCode(cause, what), name: refusedName(cause) })
    }
  }

  const take = (source: Source) => {
    lastTurn += 1
    takenTurn = lastTurn
    return prepareSource(source)
  }

  const cancel = () => {
    if (running === null) return
    running.abort()
    running = null
    onChange({ type: 'cancelled' })
  }

  return { take, takeFile, cancel }
}

/** The name of a file that the host refused; null for another error. */
export function refusedName(cause: unknown): string | null {
  return bridgeErrorCode(cause) === FILE_TOO_LARGE ? bridgeErrorText(cause) : null
}

/** Maps an error to the reason shown to the member. Unexpected errors are also logged. */
export function toMediaErrorCode(cause: unknown, what: string): MediaErrorCode {
  const code = codeOf(cause)
  if (code === 'failed' || code === 'video-failed') logFailure(what, cause)
  return code
}

/** The same, with what would fit of a video that is too long. */
export function toMediaRefusal(cause: unknown, what: string): MediaRefusal {
  const code = toMediaErrorCode(cause, what)
  const longestSeconds = cause instanceof MediaError ? cause.longestSeconds : undefined
  return { code, ...(longestSeconds !== undefined && { longestSeconds }) }
}

function codeOf(cause: unknown): MediaErrorCode {
  if (cause instanceof MediaError) return cause.code
  return bridgeErrorCode(cause) === FILE_TOO_LARGE ? 'too-large' : 'failed'
}
