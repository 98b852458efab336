import { create } from 'zustand'
import { useServerInfo } from '#/renderer/lib/server-info'

/** Texts by conversation. */
type Texts = Readonly<Record<string, string>>

interface DraftStore {
  /** The key under which they are kept: one a server and member. */
  place: string
  drafts: Texts
  /** What left the field and has no answer yet: kept like a draft, should the app end before there is one. */
  held: Texts
}

const useDraftStore = create<DraftStore>(() => ({ place: '', drafts: {}, held: {} }))

function readDrafts(place: string): Texts {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(place) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(
      Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}

/** Texts one below the other, those without a word left out. */
export function joinTexts(...parts: readonly string[]): string {
  return parts.filter((text) => text.trim() !== '').join('\n')
}

function keepDrafts({ place, drafts, held }: DraftStore): void {
  const kept: Record<string, string> = { ...drafts }
  for (const [id, text] of Object.entries(held)) kept[id] = joinTexts(text, drafts[id] ?? '')
  localStorage.setItem(place, JSON.stringify(kept))
}

function withText(texts: Texts, id: string, text: string): Texts {
  const { [id]: _before, ...others } = texts
  return text === '' ? others : { ...others, [id]: text }
}

/** Brings what a member began to write on the server in use. */
export function openDrafts(me: string): void {
  const place = `vignette.drafts.${useServerInfo.getState().server?.storageKey}.${me}`
  if (useDraftStore.getState().place === place) return
  useDraftStore.setState({ place, drafts: readDrafts(place), held: {} })
}

/** Keeps what was typed, also over a restart. */
export function setDraft(conversationId: string, text: string): void {
  useDraftStore.setState(({ drafts }) => ({ drafts: withText(drafts, conversationId, text) }))
  keepDrafts(useDraftStore.getState())
}

/** Keeps what is being sent, until `''` says that nothing is. */
export function holdText(conversationId: string, text: string): void {
  useDraftStore.setState(({ held }) => ({ held: withText(held, conversationId, text) }))
  keepDrafts(useDraftStore.getState())
}

/** Puts what could not be sent back in front of what was typed since. */
export function restoreText(conversationId: string, text: string): void {
  const { drafts } = useDraftStore.getState()
  setDraft(conversationId, joinTexts(text, drafts[conversationId] ?? ''))
}

/** What was begun in a conversation. */
export function useDraft(conversationId: string): string {
  return useDraftStore((state) => state.drafts[conversationId] ?? '')
}
