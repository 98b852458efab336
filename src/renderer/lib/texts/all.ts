export {
  access,
  connection,
  find,
  limits,
  nav,
  outbox,
  pages,
  search,
  somethingBroke,
  strip,
} from './app'
export { desktop, session } from './desktop'
export { emoji } from './emoji'
export { auth } from './features/auth'
export { composer } from './features/composer'
export { explore } from './features/explore'
export { firstHour } from './features/first-hour'
export { messages } from './features/messages'
export { notifications } from './features/notifications'
export { feed, post } from './features/posts'
export { editProfile, people, profile } from './features/profile'
export { safety } from './features/safety'
export { download, settings } from './features/settings'
export { share } from './features/share'
export { makeStory, stories } from './features/stories'
export { videoEditor } from './features/video-editor'
export { media } from './media'
export { server } from './server'
export { shortcuts } from './shortcuts'

export const product = 'Vignette'
export const tagline = 'Photographs, and the people behind them.'
export const loading = 'Loading'
export const close = 'Close'
export const cancel = 'Cancel'
export const discardChanges = 'Discard changes'
export const back = 'Back'
export const more = 'More'
export const less = 'Less'
export const tryAgain = 'Try again'
export const showMore = 'Show more'
export const notLoaded = 'This appears when the connection is back.'
export const notLoadedOnline = 'This could not be loaded.'
export const undo = 'Undo'
export const pasteCut = 'This text is too long. Its beginning was pasted; the rest is still on the clipboard.'
export const pictureNotShown = 'This picture cannot be shown.'
/** Read to screen readers instead of a picture. */
export const notShown = (alt: string) => `${alt}. ${pictureNotShown}`
export const tooFast = 'You are doing this too fast. Wait a while, then try again.'
export const tooManyVideos = 'This server takes no more videos from you today. Try again tomorrow.'
export const skipToContent = 'Skip to content'
const deleteText = 'Delete'

export { deleteText as delete }
