import { isRecord } from '#/renderer/lib/storage-key'
import { type Attempt, toAttempt } from './attempt'
import { WINDOW_ID } from './windows'

/** A begun message. */
export interface Draft {
  text: string
  /** What was sent of it before without an answer. */
  attempt: Attempt | null
}

/** What is kept of a conversation under one key of localStorage. */
interface Stored {
  /** What is in the field, the same in all windows. */
  draft: Draft
  /** What left the field and has no answer yet, by the window that sends it. */
  held: Readonly<Record<string, Draft>>
}

export const EMPTY_DRAFT: Draft = { text: '', attempt: null }

function toDraft(value: unknown): Draft {
  if (!isRecord(value)) return EMPTY_DRAFT
  const { text, attempt } = value
  return { text: typeof text === 'string' ? text : '', attempt: toAttempt(attempt) }
}

function toStored(json: string | null): Stored {
  try {
    const value: unknown = JSON.parse(json ?? '')
    const held = isRecord(value) && isRecord(value.held) ? value.held : {}
    return {
      draft: toDraft(value),
      held: Object.fromEntries(Object.entries(held).map(([id, draft]) => [id, toDraft(draft)])),
    }
  } catch {
    return { draft: EMPTY_DRAFT, held: {} }
  }
}

function isEmpty({ text, attempt }: Draft): boolean {
  return text === '' && attempt === null
}

function write(key: string, { draft, held }: Stored): void {
  if (isEmpty(draft) && Object.keys(held).length === 0) localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify({ ...draft, held }))
}

/** What is in the field, out of what is stored. */
export function storedDraft(json: string | null): Draft {
  return toStored(json).draft
}

/** Keeps what is in the field, and what this window sends of it; what other windows send stays as it is. */
export function storeDraft(key: string, draft: Draft, held: Draft | null): void {
  const { [WINDOW_ID]: _mine, ...others } = toStored(localStorage.getItem(key)).held
  write(key, { draft, held: held === null ? others : { ...others, [WINDOW_ID]: held } })
}

/** Takes out what windows that are gone were sending when they went. */
export function takeAbandoned(key: string, living: ReadonlySet<string>): Draft[] {
  const { draft, held } = toStored(localStorage.getItem(key))
  const entries = Object.entries(held)
  const abandoned = entries.filter(([id]) => !living.has(id))
  if (abandoned.length === 0) return []
  write(key, { draft, held: Object.fromEntries(entries.filter(([id]) => living.has(id))) })
  return abandoned.map(([, each]) => each)
}
