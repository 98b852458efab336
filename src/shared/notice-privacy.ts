import type { Notice, NoticeKind } from './bridge'
import type { Preferences } from './preferences'

/** What a notification shows: the name and the text, only the name, or neither. */
export type NoticeContent = Preferences['notificationContent']

/** What a notification says instead of the text. */
const HAPPENED: Record<NoticeKind, string> = {
  message: 'New message',
  like: 'New like',
  comment: 'New comment',
  mention: 'New mention',
  reply: 'New reply',
  comment_like: 'New like of your comment',
  follow: 'New follower',
  request: 'New follow request',
  accepted: 'Follow request accepted',
  story_view: 'New story view',
}

/** What notifications may show now (DESK-17): a locked screen shows no text, unless the member chose that. */
export function contentToShow(
  { notificationContent, textOnLockScreen }: Pick<Preferences, 'notificationContent' | 'textOnLockScreen'>,
  isLocked: boolean,
): NoticeContent {
  const isTextHidden = isLocked && !textOnLockScreen
  return notificationContent === 'text' && isTextHidden ? 'name' : notificationContent
}

/** The notice without what must not be shown. The sender's picture counts as the name. */
export function redactNotice(notice: Notice, content: NoticeContent): Notice {
  if (content === 'text') return notice
  if (content === 'name') return { ...notice, body: HAPPENED[notice.kind] }
  const title = notice.kind === 'message' ? HAPPENED.message : 'New notification'
  return { ...notice, title, body: '', icon: undefined }
}
