import { counted } from '#/renderer/lib/texts/counts'
import { BADGE_MAX, GROUP_ACTORS_MAX } from '#/shared/limits'

export const notifications = {
  title: 'Notifications',
  none: 'Nothing new yet',
  noneBody: 'Likes, comments, mentions and follows show up here.',
  markAll: 'Mark all as read',
  markRead: 'Mark as read',
  like: 'liked your post',
  comment: 'commented on your post',
  reply: 'replied to your comment',
  comment_like: 'liked your comment',
  mention: {
    post: 'mentioned you in a post',
    comment: 'mentioned you in a comment',
    story: 'mentioned you in a story',
  },
  follow: 'started following you',
  story_view: 'viewed your story',
  andOthers: (n: number) =>
    n > GROUP_ACTORS_MAX ? `and ${GROUP_ACTORS_MAX}+ others` : `and ${counted(n, 'other', 'others')}`,
  more: 'Loading older notifications',
  requests: 'Follow requests',
  asks: 'asks to follow you',
  accept: 'Accept',
  decline: 'Decline',
  unread: (n: number) =>
    n > BADGE_MAX
      ? `More than ${BADGE_MAX} unread notifications`
      : counted(n, 'unread notification', 'unread notifications'),
} as const
