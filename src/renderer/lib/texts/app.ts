import { badgeLabel } from '#/shared/badge'
import { counted } from './counts'

export const nav = {
  label: 'Main',
  home: 'Home',
  messages: (unread: number) => (unread > 0 ? `Messages, ${badgeLabel(unread)} unread` : 'Messages'),
  create: 'Create post',
  notifications: (unread: number) =>
    unread > 0 ? `Notifications, ${badgeLabel(unread)} unread` : 'Notifications',
  account: 'Account menu',
  profile: 'Profile',
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
  sending: 'Sending…',
  waiting: 'Waiting for the connection…',
  notSent: 'Not sent.',
  uploading: 'Uploading',
  edit: 'Edit',
  discard: 'Discard',
} as const

export const search = {
  label: 'Search',
  placeholder: 'Search',
  nobody: 'Nobody by that name',
  nothing: 'Nothing found',
  suggestions: 'Members',
  suggested: (n: number) => `${counted(n, 'member', 'members')} found. Use the arrow keys to choose.`,
  groups: { hashtag: 'Hashtags', place: 'Places' },
} as const

export const connection = {
  lost: 'Connection lost.',
  retryIn: (seconds: number) => `Trying again in ${seconds} s`,
  retrying: 'Trying again…',
  tryNow: 'Try now',
  back: 'Connected again.',
  needed: 'This needs a connection. Try again when it is back.',
} as const

export const shortcuts = {
  title: 'Keyboard shortcuts',
  list: [
    ['j / k', 'Next / previous post'],
    ['Enter', 'Open the post that j or k reached'],
    ['l', 'Like'],
    ['s', 'Save'],
    ['c', 'Comment'],
    ['n', 'New post'],
    ['/', 'Search'],
    ['← / →', 'In a post: previous / next photo'],
    ['← / →', 'In a story: back / forward by a fifth'],
    ['Shift ← / →', 'In a story: previous / next member'],
    ['Space', 'In a story: pause or play'],
    ['m', 'In a story: sound on or off'],
    ['Esc', 'Close what is open'],
    ['g h', 'Home'],
    ['g m', 'Messages'],
    ['g p', 'Your profile'],
    ['?', 'This list'],
  ],
} as const

export const somethingBroke = {
  title: 'This page could not be shown',
  body: 'The rest of Vignette still works. Nothing you posted is lost.',
} as const
