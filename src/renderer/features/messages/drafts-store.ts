import { create } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { isRecord, storageKeyPrefix, storedKeys } from '#/renderer/lib/local-storage'

interface DraftStore {
  /** Key prefix of the signed-in member on the current server; empty if signed out. */
  place: string
  /** By key in localStorage. */
  texts: Readonly<Record<string, string>>
  /** Key prefixes of deleted accounts: nothing is stored for them. */
  forgotten: readonly string[]
}

const useDraftStore = create<DraftStore>(() => ({ place: '', texts: {}, forgotten: [] }))

/** Joins texts with line breaks, without empty ones. */
export function joinTexts(...parts: readonly string[]): string {
  return parts.filter((text) => text.trim() !== '').join('\n')
}

function parseText(json: string | null): string {
  try {
    const value: unknown = JSON.parse(json ?? 'null')
    return isRecord(value) && typeof value.text === 'string' ? value.text : ''
  } catch {
    return ''
  }
}

function storeText(key: string, text: string): void {
  if (text === '') localStorage.removeItem(key)
  else localStorage.setItem(key, JSON.stringify({ text }))
}

function keyIn(place: string, conversationId: string): string {
  return `${place}${conversationId}`
}

/** The key of a draft of the signed-in member. */
export function draftKey(conversationId: string): string {
  return keyIn(useDraftStore.getState().place, conversationId)
}

/** The hook form of `draftKey`. */
export function useDraftKey(conversationId: string): string {
  return useDraftStore(({ place }) => keyIn(place, conversationId))
}

function getText(key: string): string {
  return useDraftStore.getState().texts[key] ?? ''
}

function showText(key: string, text: string): void {
  useDraftStore.setState(({ texts }) => ({ texts: { ...texts, [key]: text } }))
}

/** Whether a key belongs to a deleted account. */
export function isForgotten(key: string): boolean {
  return useDraftStore.getState().forgotten.some((place) => key.startsWith(place))
}

function setText(key: string, text: string): void {
  showText(key, text)
  if (!isForgotten(key)) storeText(key, text)
}

/** Windows that show the same conversation share its draft. */
function handleStorage({ key, newValue }: StorageEvent): void {
  if (key !== null && isHere(key)) showText(key, parseText(newValue))
}

/** Loads a member's drafts on the current server. */
export function openDrafts(me: string): void {
  const place = storageKeyPrefix('draft', me)
  if (useDraftStore.getState().place === place) return
  const texts = storedKeys(place).map((key) => [key, parseText(localStorage.getItem(key))])
  useDraftStore.setState({ place, texts: Object.fromEntries(texts) })
  addEventListener('storage', handleStorage)
}

/** Unloads a member's drafts, which stay stored. Returns their key prefix. */
export function closeDrafts(me: string): string | null {
  const { place } = useDraftStore.getState()
  if (!place.endsWith(`.${me}.`)) return null
  useDraftStore.setState({ place: '', texts: {} })
  return place
}

/** Removes the drafts of a deleted account on the current server. Returns their key prefix. */
export function forgetDrafts(me: string): string {
  const place = storageKeyPrefix('draft', me)
  useDraftStore.setState(({ forgotten }) => ({ forgotten: [...forgotten, place] }))
  for (const key of storedKeys(place)) localStorage.removeItem(key)
  return place
}

/** Calls back when the member or server changes. */
export function onPlaceChange(listener: () => void): void {
  useDraftStore.subscribe((state, before) => {
    if (state.place !== before.place) listener()
  })
}

/** Whether a key belongs to the signed-in member on the current server. */
export function isHere(key: string): boolean {
  const { place } = useDraftStore.getState()
  return place !== '' && key.startsWith(place)
}

/** Sets and stores the text of a draft. */
export function setDraft(conversationId: string, text: string): void {
  setText(draftKey(conversationId), text)
}

/** Inserts a text that was not sent before the text typed since. */
export function restoreDraft(key: string, text: string): void {
  setText(key, joinTexts(text, getText(key)))
}

export function getDraftText(conversationId: string): string {
  return getText(draftKey(conversationId))
}

function draftIds({ place, texts }: DraftStore): string[] {
  if (place === '') return []
  return Object.entries(texts).flatMap(([key, text]) =>
    key.startsWith(place) && text.trim() !== '' ? [key.slice(place.length)] : [],
  )
}

/** The conversations with a draft; a stable array. */
export function useDraftIds(): readonly string[] {
  return useDraftStore(useShallow(draftIds))
}

export function useDraft(conversationId: string): string {
  return useDraftStore(({ place, texts }) => texts[keyIn(place, conversationId)] ?? '')
}
