import type { MediaErrorCode } from './media-error'

/**
 * State of a file picker. `previous` is the media that was ready before; it stays if the new file is refused or
 * cancelled.
 */
export type MediaChoice<Media> =
  | { state: 'none' }
  | { state: 'working'; progress: number; previous: Media | null }
  | { state: 'ready'; media: Media }
  | { state: 'refused'; code: MediaErrorCode; previous: Media | null }

export type MediaChoiceChange<Media> =
  | { type: 'chosen' }
  | { type: 'progress'; fraction: number }
  | { type: 'ready'; media: Media }
  | { type: 'refused'; code: MediaErrorCode }
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
      return { state: 'working', progress: 0, previous }
    case 'progress':
      return choice.state === 'working' ? { ...choice, progress: change.fraction } : choice
    case 'ready':
      return { state: 'ready', media: change.media }
    case 'refused':
      return { state: 'refused', code: change.code, previous }
    case 'cancelled':
      return previous === null ? { state: 'none' } : { state: 'ready', media: previous }
  }
}
