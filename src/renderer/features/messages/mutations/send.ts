import type { QueryClient } from '@tanstack/react-query'
import { AppError, isConflict, toAppError } from '#/renderer/lib/core/errors'
import { logFailure } from '#/renderer/lib/core/logger'
import { emitRowChange } from '#/renderer/lib/live'
import { isRecord } from '#/renderer/lib/local/local-storage'
import { toStoredPicture } from '#/renderer/lib/media/picture/prepare-picture'
import { removeMedia } from '#/renderer/lib/media-store'
import { discardRow, submit, untilOpen } from '#/renderer/lib/outbox/active'
import type { OutboxKind, OutboxRow, SendTools } from '#/renderer/lib/outbox/row'
import { uploadParts } from '#/renderer/lib/outbox/upload-parts'
import { supabase, unwrap } from '#/renderer/lib/server/supabase'
import type { TablesInsert } from '#/shared/database.types'
import { trimText } from '#/shared/visible-text'
import {
  clearDraftAttachments,
  getDraftAttachments,
  restoreDraftAttachments,
} from '../draft-attachments-store'
import { draftKey, getDraftText, isOwnKey, joinTexts, restoreDraft, setDraft } from '../drafts-store'
import {
  MESSAGE_COLUMNS,
  type MessageUpdate,
  type NewMessage,
  type OutgoingPhoto,
  STORED_COLUMNS,
} from '../message'
import { sharedInsert } from '../model/shared'

/** Returns messages of one conversation to the field, in order, before the text typed since (MSG-04). */
export function returnToField(messages: readonly NewMessage[]): void {
  const [first] = messages
  if (first === undefined) return
  const key = draftKey(first.conversation_id)
  if (!isOwnKey(key)) return
  restoreDraft(key, joinTexts(...messages.map(({ content, typed }) => typed ?? content)))
  restoreDraftAttachments(key, {
    replyToId: first.reply_to_id ?? null,
    // No photo can be chosen while another is being sent, so there is at most one.
    photo: messages.find(({ photo }) => photo !== undefined)?.photo ?? null,
  })
}

/**
 * How long to look up a message that the server may have stored, in milliseconds: the field is empty
 * meanwhile.
 */
const LOOK_UP_MS = 3_000

type PhotoFiles = Pick<TablesInsert<'message_media'>, 'media_path' | 'poster_path'>

/** The columns of a photo in its own row and in its message. */
interface PhotoColumns {
  photo: PhotoFiles
  message: Pick<TablesInsert<'messages'>, 'thumbhash' | 'image_width' | 'image_height'>
}

/** Uploads a photo. */
async function photoColumns(
  { picture }: OutgoingPhoto,
  row: OutboxRow<NewMessage>,
  tools: SendTools,
): Promise<PhotoColumns> {
  const { full, grid, thumbhash, width, height } = await toStoredPicture(picture)
  const paths = await uploadParts({ grid, full }, row, tools)
  return {
    photo: { media_path: paths.full, poster_path: paths.grid },
    message: { thumbhash, image_width: width, image_height: height },
  }
}

async function insertPhoto(me: string, conversationId: string, id: string, files: PhotoFiles) {
  const row = { id, sender_id: me, conversation_id: conversationId, ...files }
  try {
    await unwrap(supabase().from('message_media').insert(row))
  } catch (cause) {
    // The id was generated here: this photo is stored, and the response was lost.
    if (!isConflict(cause)) throw cause
    void removeMedia([files.media_path, files.poster_path])
  }
}

async function insertMessage(
  me: string,
  id: string,
  message: NewMessage,
  columns: PhotoColumns | null,
): Promise<MessageUpdate> {
  const { conversation_id, content, reply_to_id, story_id, photo, shared, forwarded } = message
  const row = {
    id,
    conversation_id,
    sender_id: me,
    content,
    ...(reply_to_id !== undefined && { reply_to_id }),
    ...(story_id !== undefined && { story_id }),
    ...(shared !== undefined && sharedInsert(shared)),
    ...(forwarded === true && { forwarded }),
    ...(photo !== undefined && {
      media_id: photo.id,
      ...columns?.message,
    }),
  }
  try {
    return await unwrap(supabase().from('messages').insert(row).select(STORED_COLUMNS).single())
  } catch (cause) {
    if (!isConflict(cause)) throw cause
    return unwrap(supabase().from('messages').select(MESSAGE_COLUMNS).eq('id', id).single())
  }
}

/** Looks up a message after a 5xx response; null if it is not stored, or after a second 5xx. */
async function findStored(failure: AppError, id: string): Promise<MessageUpdate | null> {
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

/** Whether the session belongs to this member: a refusal during a sign-out says nothing about the message. */
async function isSignedIn(me: string): Promise<boolean> {
  const { session } = await unwrap(supabase().auth.getSession())
  return session?.user.id === me
}

/** Stores a message, its photo first. */
async function store(me: string, row: OutboxRow<NewMessage>, tools: SendTools): Promise<MessageUpdate> {
  const { id, payload: message } = row
  const { photo, conversation_id } = message
  try {
    const columns = photo === undefined ? null : await photoColumns(photo, row, tools)
    if (photo !== undefined && columns !== null)
      await insertPhoto(me, conversation_id, photo.id, columns.photo)
    return await insertMessage(me, id, message, columns)
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
  accepts: (payload: unknown) => {
    if (!isRecord(payload)) return false
    const { conversation_id, content, photo } = payload
    const isText = typeof conversation_id === 'string' && typeof content === 'string'
    return isText && (photo === undefined || (isRecord(photo) && isRecord(photo.picture)))
  },
  /** Emits the message's event as the live connection would. */
  send: async (row: OutboxRow<NewMessage>, me: string, _client: QueryClient, tools: SendTools) => {
    emitRowChange('messages', { kind: 'insert', row: await store(me, row, tools) })
  },
  onRefused: (rows: readonly OutboxRow<NewMessage>[], _error: AppError) => {
    // A reply to a story stays in the story's own field, and what is shared or forwarded in its dialog.
    const isTyped = ({ story_id, shared, forwarded }: NewMessage) =>
      story_id === undefined && shared === undefined && forwarded === undefined
    returnToField(rows.map(({ payload }) => payload).filter(isTyped))
  },
} satisfies OutboxKind<NewMessage>

export function messageScope(conversationId: string): string {
  return `message ${conversationId}`
}

/** Sends a message through the outbox. With the same id a repeated send is one message. */
export function sendMessage(message: NewMessage, id?: string): Promise<'sent' | 'waiting'> {
  const scope = messageScope(message.conversation_id)
  return submit(messageKind, { scope, payload: message, ...(id !== undefined && { id }) })
}

function isInField({ conversation_id, content, photo }: NewMessage): boolean {
  const chosen = getDraftAttachments(conversation_id).photo
  const inField = chosen.state === 'ready' ? chosen.photo : undefined
  return trimText(getDraftText(conversation_id)) === content && inField?.id === photo?.id
}

/**
 * Sends the draft of a conversation and empties the field. If the server refuses it, or an earlier message,
 * the text returns to the field and `onFailed` is called (MSG-04).
 */
export async function sendDraft(message: NewMessage, onFailed: (cause: AppError) => void): Promise<void> {
  const { conversation_id } = message
  try {
    await untilOpen()
    // The draft was sent or changed meanwhile, or the member signed out.
    if (!isInField(message)) return
    setDraft(conversation_id, '')
    clearDraftAttachments(draftKey(conversation_id))
    await sendMessage(message)
  } catch (cause) {
    logFailure('send message', cause)
    onFailed(toAppError(cause))
  }
}

/** Returns a refused message to the field (MSG-09). */
export async function editRefused(id: string): Promise<void> {
  const row = (await discardRow(id)) as OutboxRow<NewMessage> | null
  if (row !== null) returnToField([row.payload])
}
