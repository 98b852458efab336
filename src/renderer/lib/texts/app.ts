import { badgeLabel } from '#/shared/badge'
import { EMAIL_MAX, TEXT_LIMITS, USERNAME } from '#/shared/limits'
import { counted, formatCount } from './counts'

export const nav = {
  label: 'Main',
  home: 'Home',
  messages: (unread: number) => (unread > 0 ? `Messages, ${badgeLabel(unread)} unread` : 'Messages'),
  create: 'Create post',
  createWord: 'Create',
  notifications: (unread: number) =>
    unread > 0 ? `Notifications, ${badgeLabel(unread)} unread` : 'Notifications',
  account: 'Account menu',
  profile: 'Profile',
  saved: 'Saved',
  settings: 'Settings',
  signOut: 'Sign Out',
} as const

/** The titles of pages, in their headings and in the window's title. */
export const pages = {
  create: 'Create post',
  editProfile: 'Edit Profile',
  settings: 'Settings',
  messages: 'Messages',
} as const

/** The states of what the server has not stored yet. */
export const outbox = {
  notShared: 'Your post was not shared: a photo or video could not be prepared. It is still in its form.',
  sending: 'Sending…',
  waiting: 'Waiting for the connection…',
  notSent: 'Could not be sent.',
  unreadable: 'Something you wrote with another version of Vignette could not be sent.',
  copyText: 'Copy text',
  uploading: 'Uploading',
  edit: 'Edit',
  discard: 'Discard',
} as const

export const search = {
  label: 'Search',
  placeholder: 'Search',
  nobody: 'Nobody by that name',
  nothing: 'No people, hashtags or places',
  all: 'All results',
  results: 'Results for',
  people: 'People',
  posts: 'Posts',
  noPosts: 'No posts found',
  noPostsBody: 'Search looks for words in captions, places and descriptions of photos and videos.',
  offline: 'Search works again when the connection is back.',
  failed: 'Search does not work at the moment.',
  suggestions: 'Members',
  suggested: (n: number) => `${counted(n, 'member', 'members')} found. Use the arrow keys to choose.`,
  groups: { hashtag: 'Hashtags', place: 'Places' },
} as const

export const find = {
  label: 'Find in page',
  field: 'Find',
  next: 'Next match',
  previous: 'Previous match',
  close: 'Close find bar',
  none: 'No results',
  found: (active: number, matches: number) => `${formatCount(active)} of ${formatCount(matches)}`,
} as const

export const connection = {
  lost: 'Connection lost.',
  retryIn: (seconds: number) => `Trying again in ${seconds} s`,
  retrying: 'Trying again…',
  tryNow: 'Try now',
  back: 'Connected again.',
  needed: 'This needs a connection. Try again when it is back.',
  /** By which of the two is too old. */
  mismatch: {
    app: 'This server needs a newer Vignette.',
    server: 'This server is older: ask its operator.',
  },
  canRead: 'You can read what is on this device and write; it is sent once this is solved.',
  canWrite: 'You can write; it is sent once this is solved.',
} as const

export const somethingBroke = {
  title: 'This page could not be shown',
  body: 'The rest of Vignette still works. Nothing you posted is lost.',
} as const

/** The sign-in texts that the first load shows. */
export const access = {
  linkExpired: 'This link is invalid or has expired. Ask for a new one.',
  linkNotAsked: 'This link was not asked for here. Ask for a new one on this computer, then open it here.',
  linkOfOtherServer: 'This link is of another server. Connect to that server and ask for a new one there.',
  linkSignedIn: 'Sign out first, then open the link from the mail again.',
  mailRefused: 'This server sends mail to its own team only. Ask its operator to set up a mail server.',
  offline: 'The server cannot be reached. Check your connection and try again.',
  signIn: 'Sign in',
  signUp: 'Sign up',
  tooManyTries: 'Wait a few minutes, then try again.',
  usernameInvalid: `A username has ${USERNAME.min} to ${USERNAME.max} letters (a–z), digits, dots or underscores, and no dot at either end.`,
} as const

/** Stories above the feed. */
export const strip = {
  label: 'Stories',
  yours: 'Your story',
  add: 'Add story',
  pending: 'Stories that are not shared yet',
  seen: 'Seen',
  unseen: 'New',
} as const

export const limits = {
  fullName: `A name has at most ${TEXT_LIMITS.fullName} characters.`,
  email: `An email address has at most ${EMAIL_MAX} characters.`,
} as const
