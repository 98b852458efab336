import type { Tables } from '#/shared/database.types'

export type MessageRow = Tables<'messages'>
/** The columns of a `MessageRow`, for a select. */
export const MESSAGE_COLUMNS =
  'id,conversation_id,sender_id,recipient_id,content,created_at,read,read_at,deleted_at,reply_to_id,photo_id,thumbnail_url,image_width,image_height,story_id,answers_story,sender_reaction,recipient_reaction'

export type NotificationRow = Tables<'notifications'>
/** The columns of a `NotificationRow`, for a select. */
export const NOTIFICATION_COLUMNS =
  'id,user_id,actor_id,type,about,read,message,created_at,post_id,story_id,comment_id'

/** A message that the member sent or received: new, or changed (read, unsent, reacted to). */
export interface MessageEvent {
  kind: 'insert' | 'update'
  row: MessageRow
}

/** Listeners of one kind of event. */
interface Signal<T> {
  emit(value: T): void
  on(listener: (value: T) => void): () => void
}

function createSignal<T>(): Signal<T> {
  const listeners = new Set<(value: T) => void>()
  return {
    emit: (value) => {
      for (const listener of listeners) listener(value)
    },
    on: (listener) => {
      // A function of its own each time: the same listener may be registered twice.
      const mine = (value: T) => listener(value)
      listeners.add(mine)
      return () => listeners.delete(mine)
    },
  }
}

const messages = createSignal<MessageEvent>()
const notifications = createSignal<NotificationRow>()
const caughtUp = createSignal<void>()

export const emitMessageEvent = messages.emit
export const emitNotificationEvent = notifications.emit
export const emitCaughtUp = () => caughtUp.emit()

/** Messages to or from the member, each as often as it is told: merge by id. Gives its unsubscribe. */
export const onMessageEvent = messages.on

/** Notifications of the member, as they are made. Gives its unsubscribe. */
export const onNotificationEvent = notifications.on

/**
 * Called when what happens is told live again, also for the first time: what was read before that moment may lack
 * something, so read it again. Gives its unsubscribe.
 */
export const onCaughtUp: (listener: () => void) => () => void = caughtUp.on
