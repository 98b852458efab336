import { useMe } from '#/renderer/features/auth'
import { newId } from '#/renderer/lib/core/uuid'
import { createDraftStore } from '#/renderer/lib/local/draft-store'
import { isRecord } from '#/renderer/lib/local/local-storage'
import { sendingDrafts } from '#/renderer/lib/local/sending-drafts-store'
import { trimText } from '#/shared/visible-text'

/** An unsent reply. */
interface ReplyDraft {
  /** Generated here, so that a reply sent twice (after a lost response) is stored once. */
  id: string
  text: string
}

interface FieldDraft extends ReplyDraft {
  /** Replies that have left the field, and are not stored yet. */
  left: readonly ReplyDraft[]
}

function newDraft(text: string): ReplyDraft {
  return { id: newId(), text }
}

function parse(value: unknown): ReplyDraft[] {
  if (!isRecord(value)) return []
  const { id, text } = value
  return typeof id === 'string' && typeof text === 'string' ? [{ id, text }] : []
}

/** Returns a reply to the field, before text typed since. */
function putBack(draft: FieldDraft, reply: ReplyDraft): FieldDraft {
  const since = trimText(draft.text) === '' ? reply : newDraft(`${reply.text} ${draft.text}`)
  return { ...since, left: draft.left.filter(({ id }) => id !== reply.id) }
}

/** By story, so that a typed reply survives the next story and a reload. A reload returns what was being sent, with its id. */
export const replyDrafts = createDraftStore<FieldDraft>('reply', (fields) => {
  const items: unknown[] = Array.isArray(fields.left) ? fields.left : []
  const all = items.flatMap(parse)
  const [draft] = parse(fields)
  if (draft === undefined) return null
  const left = all.filter(({ id }) => sendingDrafts.has(id))
  return all.filter((each) => !left.includes(each)).reduceRight<FieldDraft>(putBack, { ...draft, left })
})

/** Reads and changes the draft reply to a story. */
export function replyDraftOf(me: string, storyId: string) {
  const read = (): FieldDraft => replyDrafts.read(me, storyId) ?? { ...newDraft(''), left: [] }
  const write = (draft: FieldDraft) =>
    replyDrafts.write(me, storyId, draft.text === '' && draft.left.length === 0 ? null : draft)
  return {
    read,
    /** Changed text gets a new id, because the previous text may have been stored. */
    setText: (text: string) => write({ ...newDraft(text), left: read().left }),
    /** Takes the reply out of the field, which is then empty for the next one, and returns it to be sent. */
    take: (): ReplyDraft => {
      const { id, text, left } = read()
      sendingDrafts.add(id)
      write({ ...newDraft(''), left: [...left, { id, text }] })
      return { id, text }
    },
    /** The taken reply was not sent: it returns to the field. */
    giveBack: (id: string) => {
      const draft = read()
      sendingDrafts.delete(id)
      const failed = draft.left.find((each) => each.id === id)
      if (failed !== undefined) write(putBack(draft, failed))
    },
    /** The reply is sent. */
    clear: (id: string) => {
      const draft = read()
      sendingDrafts.delete(id)
      const left = draft.left.filter((each) => each.id !== id)
      write({ ...(draft.id === id ? newDraft('') : draft), left })
    },
  }
}

export function useReplyDraft(storyId: string) {
  const { id: me } = useMe()
  const draft = replyDrafts.use(me, storyId)
  return { text: draft?.text ?? '', ...replyDraftOf(me, storyId) }
}
