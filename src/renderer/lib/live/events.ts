import type { Tables } from '#/shared/database.types'

export type MessageRow = Tables<'messages'>
export const MESSAGE_COLUMNS =
  'id,conversation_id,sender_id,recipient_id,content,created_at,read,read_at,deleted_at,reply_to_id,photo_id,thumbnail_url,image_width,image_height,story_id,answers_story,sender_reaction,recipient_reaction'

export type NotificationRow = Tables<'notifications'>
export const NOTIFICATION_COLUMNS =
  'id,user_id,actor_id,type,about,read,message,created_at,post_id,story_id,comment_id'

/** A message that the member sent or received: inserted, or updated (read, unsent, reaction). */
export interface MessageEvent {
  kind: 'insert' | 'update'
  row: MessageRow
}

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
      // A new function per call, because the same listener can be registered twice.
      const subscription = (value: T) => listener(value)
      listeners.add(subscription)
      return () => listeners.delete(subscription)
    },
  }
}

const messages = createSignal<MessageEvent>()
const notifications = createSignal<NotificationRow>()
const caughtUp = createSignal<void>()

export const emitMessageEvent = messages.emit
export const emitNotificationEvent = notifications.emit
export const emitCaughtUp = () => caughtUp.emit()

/** Messages to or from the member. An event can arrive more than once: merge by id. Returns an unsubscribe function. */
export const onMessageEvent = messages.on

/** New notifications of the member. Returns an unsubscribe function. */
export const onNotificationEvent = notifications.on

/**
 * Called when live events start to arrive, also the first time. Earlier reads may have missed changes, so refetch.
 * Returns an unsubscribe function.
 */
export const onCaughtUp: (listener: () => void) => () => void = caughtUp.on
