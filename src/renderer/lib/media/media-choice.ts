import type { MediaErrorCode } from './media-error'

/** What has become of a chosen file. `previous` is what was ready before it, and still is if nothing comes of it. */
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

/** What would be sent now: what is ready, or what was before a choice that is not done or was refused. */
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

/** What was chosen before stays when the next choice is refused or cancelled (CREATE-05). */
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
