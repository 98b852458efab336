import { AppError, toAppError } from '#/renderer/lib/errors'
import { emitRowChange } from '#/renderer/lib/live'
import type { OutboxKind, OutboxRow } from '#/renderer/lib/outbox/row'
import { supabase, unwrap } from '#/renderer/lib/supabase'
import { MESSAGE_COLUMNS, type Message } from './message'
import type { NewMessage, OutgoingPhoto } from './new-message'
import { returnToField } from './return-to-field'

/** How long to look for a message that the server may have stored, in milliseconds: its text is missing in the field meanwhile. */
const LOOK_UP_MS = 3_000

function isConflict(cause: unknown): boolean {
  return cause instanceof AppError && cause.code === 'conflict'
}

async function insertPhoto(me: string, conversationId: string, { id, image_url }: OutgoingPhoto) {
  const row = { id, sender_id: me, conversation_id: conversationId, image_url }
  try {
    await unwrap(supabase().from('message_photos').insert(row))
  } catch (cause) {
    // Its id was generated here: the stored photo is this one, and the response was lost.
    if (!isConflict(cause)) throw cause
  }
}

async function insertMessage(me: string, id: string, message: NewMessage): Promise<Message> {
  const { conversation_id, content, reply_to_id, story_id, photo } = message
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

/** The stored message after the server answered with a 5xx; null when it is not stored, or a second 5xx comes. */
async function findStored(failure: AppError, id: string): Promise<Message | null> {
  if (failure.serverStatus === undefined) return null
  try {
    return await unwrap(
      supabase()
        .from('messages')
        .select(MESSAGE_COLUMNS)
        .eq('id', id)
        .abortSignal(AbortSignal.timeout(LOOK_UP_MS))
        .maybeSingle(),
    )
  } catch (cause) {
    if (toAppError(cause).code === 'offline') throw cause
    return null
  }
}

/** Whether the server was asked as this member: a refusal while they sign out says nothing about the message. */
async function isSignedIn(me: string): Promise<boolean> {
  const { session } = await unwrap(supabase().auth.getSession())
  return session?.user.id === me
}

/** Stores a message, its photo first. */
async function store(me: string, id: string, message: NewMessage): Promise<Message> {
  try {
    if (message.photo !== undefined) await insertPhoto(me, message.conversation_id, message.photo)
    return await insertMessage(me, id, message)
  } catch (cause) {
    if (!(await isSignedIn(me))) throw new AppError('session-expired', '', 'send message', { cause })
    const stored = await findStored(toAppError(cause), id)
    if (stored === null) throw cause
    return stored
  }
}

/** Messages in the outbox (MSG-04, MSG-09); one scope per conversation. */
export const messageKind = {
  name: 'message',
  action: 'send message',
  /** Emits the message's event as the live connection would. */
  send: async ({ id, payload }: OutboxRow<NewMessage>, me: string) => {
    emitRowChange('messages', { kind: 'insert', row: await store(me, id, payload) })
  },
  onRefused: (rows: readonly OutboxRow<NewMessage>[], _error: AppError) => {
    // A reply to a story stays in the story's own field.
    returnToField(rows.map(({ payload }) => payload).filter(({ story_id }) => story_id === undefined))
  },
} satisfies OutboxKind<NewMessage>

export function messageScope(conversationId: string): string {
  return `message ${conversationId}`
}
