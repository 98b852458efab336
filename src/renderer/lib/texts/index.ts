import { connection, nav, search, shortcuts, somethingBroke } from './app'
import { auth, limits } from './auth'
import { desktop, server, session } from './desktop'
import { explore } from './explore'
import { media } from './media'
import { messages } from './messages'
import { notifications } from './notifications'
import { composer, feed, post } from './posts'
import { editProfile, people, profile } from './profile'
import { safety } from './safety'
import { download, settings } from './settings'
import { share } from './share'
import { makeStory, stories } from './stories'

export { formatCount, shortCount } from './counts'

/** Every text the app shows. Texts given by spec.md are exact. */
export const texts = {
  product: 'Vignette',
  tagline: 'Photographs, and the people behind them.',
  loading: 'Loading',
  close: 'Close',
  cancel: 'Cancel',
  discardChanges: 'Discard changes',
  back: 'Back',
  delete: 'Delete',
  tryAgain: 'Try again',
  undo: 'Undo',
  tooFast: 'You are doing this too fast. Wait a while, then try again.',
  skipToContent: 'Skip to content',
  somethingBroke,
  nav,
  search,
  connection,
  shortcuts,
  auth,
  limits,
  server,
  session,
  desktop,
  feed,
  explore,
  post,
  composer,
  stories,
  makeStory,
  media,
  notifications,
  profile,
  people,
  editProfile,
  settings,
  download,
  safety,
  messages,
  share,
} as const
