import { formatCount } from '#/renderer/lib/texts/counts'
import { isolate } from '#/shared/bidi'

export const share = {
  title: 'Share',
  titles: { post: 'Share post', story: 'Share story', profile: 'Share profile' },
  members: 'Send to',
  text: 'Message (optional)',
  send: (members: number) => (members < 2 ? 'Send' : `Send to ${formatCount(members)}`),
  copyLink: 'Copy link',
  copied: 'Link copied',
  failedCopy: 'The link could not be copied.',
  sent: 'Sent.',
  waiting: 'Sent as soon as the connection is back.',
  failed: (names: string) => `Not sent to ${isolate(names)}.`,
  most: (members: number) => `You can send to ${formatCount(members)} members at once.`,
  noConversations: 'Search for someone to send it to.',
} as const
