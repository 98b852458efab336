import { AppError, toAppError } from '#/renderer/lib/errors'
import { emitMessageEvent, MESSAGE_COLUMNS, type MessageRow } from '#/renderer/lib/live'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { withoutDelivered } from '../attempt'
import { isDelivered } from '../delivered'
import type { OutgoingMessage, OutgoingPhoto } from './types'

function isConflict(cause: unknown): boolean {
  return cause instanceof AppError && cause.code === 'conflict'
}

async function insertPhoto(me: string, conversationId: string, { id, image_url }: OutgoingPhoto) {
  const row = { id, sender_id: me, conversation_id: conversationId, image_url }
  try {
    await unwrap(supabase().from('message_photos').insert(row))
  } catch (cause) {
    // Its id was made here: the one that is there is this one, whose answer was lost on the way.
    if (!isConflict(cause)) throw cause
  }
}

async function insertMessage(me: string, message: OutgoingMessage): Promise<MessageRow> {
  const { id, conversation_id, content, reply_to_id, story_id, photo } = message
  const row = {
    id,
    conversation_id,
    sender_id: me,
    content,
    ...(reply_to_id !== undefined && { reply_to_id }),
    ...(story_id !== undefined && { story_id }),
    ...(photo !== undefined && {
      photo_id: photo.id,
      thumbnail_url: photo.thumbnail_url,
      image_width: photo.image_width,
      image_height: photo.image_height,
    }),
  }
  try {
    return await unwrap(supabase().from('messages').insert(row).select(MESSAGE_COLUMNS).single())
  } catch (cause) {
    if (!isConflict(cause)) throw cause
    return unwrap(supabase().from('messages').select(MESSAGE_COLUMNS).eq('id', id).single())
  }
}

/** Whether the server was asked as this member: a refusal while they sign out says nothing about the message. */
async function isSignedIn(me: string): Promise<boolean> {
  const { session } = await unwrap(supabase().auth.getSession())
  return session?.user.id === me
}

/** A message without what the server has of it already; null when it has all. */
async function leftToSay(message: OutgoingMessage): Promise<OutgoingMessage | null> {
  const { earlier } = message
  return earlier !== undefined && (await isDelivered(earlier.id))
    ? withoutDelivered(message, earlier)
    : message
}

/**
 * Whether the server stored a message and then answered with a 5xx. Rejects when it cannot be reached to be asked; a second
 * 5xx counts as no.
 */
async function isStoredDespite(failure: unknown, id: string): Promise<boolean> {
  if (!(failure instanceof AppError) || failure.serverStatus === undefined) return false
  try {
    return await isDelivered(id)
  } catch (cause) {
    if (toAppError(cause).code === 'offline') throw cause
    return false
  }
}

/** Sends a message, its photo first, and emits its event as the live connection would. Rejects with an `AppError`. */
export async function sendToServer(me: string, message: OutgoingMessage): Promise<void> {
  try {
    await insert(me, message)
  } catch (cause) {
    if (await isStoredDespite(cause, message.id)) return
    throw cause
  }
}

async function insert(me: string, message: OutgoingMessage): Promise<void> {
  try {
    const left = await leftToSay(message)
    if (left === null) return
    if (left.photo !== undefined) await insertPhoto(me, left.conversation_id, left.photo)
    emitMessageEvent({ kind: 'insert', row: await insertMessage(me, left) })
  } catch (cause) {
    if (await isSignedIn(me)) throw cause
    throw new AppError('session-expired', '', 'send message', { cause })
  }
}
