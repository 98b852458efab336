import { create } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { isRecord, storageKeyPrefix, storedKeys } from '#/renderer/lib/local-storage'

interface DraftStore {
  /** Key prefix of the signed-in member on the current server; empty if signed out. */
  keyPrefix: string
  /** By key in localStorage. */
  texts: Readonly<Record<string, string>>
  /** Key prefixes of deleted accounts: nothing is stored for them. */
  forgotten: readonly string[]
}

const useDraftStore = create<DraftStore>(() => ({ keyPrefix: '', texts: {}, forgotten: [] }))

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

function keyOf(keyPrefix: string, conversationId: string): string {
  return `${keyPrefix}${conversationId}`
}

/** The key of a draft of the signed-in member. */
export function draftKey(conversationId: string): string {
  return keyOf(useDraftStore.getState().keyPrefix, conversationId)
}

/** The hook form of `draftKey`. */
export function useDraftKey(conversationId: string): string {
  return useDraftStore(({ keyPrefix }) => keyOf(keyPrefix, conversationId))
}

function getText(key: string): string {
  return useDraftStore.getState().texts[key] ?? ''
}

function showText(key: string, text: string): void {
  useDraftStore.setState(({ texts }) => ({ texts: { ...texts, [key]: text } }))
}

/** Whether a key belongs to a deleted account. */
export function isForgotten(key: string): boolean {
  return useDraftStore.getState().forgotten.some((keyPrefix) => key.startsWith(keyPrefix))
}

function setText(key: string, text: string): void {
  showText(key, text)
  if (!isForgotten(key)) storeText(key, text)
}

/** Windows that show the same conversation share its draft. */
function handleStorage({ key, newValue }: StorageEvent): void {
  if (key !== null && isOwnKey(key)) showText(key, parseText(newValue))
}

/** Loads a member's drafts on the current server. */
export function openDrafts(me: string): void {
  const keyPrefix = storageKeyPrefix('draft', me)
  if (useDraftStore.getState().keyPrefix === keyPrefix) return
  const texts = storedKeys(keyPrefix).map((key) => [key, parseText(localStorage.getItem(key))])
  useDraftStore.setState({ keyPrefix, texts: Object.fromEntries(texts) })
  addEventListener('storage', handleStorage)
}

/** Unloads a member's drafts, which stay stored. Returns their key prefix. */
export function closeDrafts(me: string): string | null {
  const { keyPrefix } = useDraftStore.getState()
  if (!keyPrefix.endsWith(`.${me}.`)) return null
  useDraftStore.setState({ keyPrefix: '', texts: {} })
  return keyPrefix
}

/** Removes the drafts of a deleted account on the current server. Returns their key prefix. */
export function forgetDrafts(me: string): string {
  const keyPrefix = storageKeyPrefix('draft', me)
  useDraftStore.setState(({ forgotten }) => ({ forgotten: [...forgotten, keyPrefix] }))
  for (const key of storedKeys(keyPrefix)) localStorage.removeItem(key)
  return keyPrefix
}

/** Calls back when the member or server changes. */
export function onOwnerChange(listener: () => void): void {
  useDraftStore.subscribe((state, before) => {
    if (state.keyPrefix !== before.keyPrefix) listener()
  })
}

/** Whether a key belongs to the signed-in member on the current server. */
export function isOwnKey(key: string): boolean {
  const { keyPrefix } = useDraftStore.getState()
  return keyPrefix !== '' && key.startsWith(keyPrefix)
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

function draftIds({ keyPrefix, texts }: DraftStore): string[] {
  if (keyPrefix === '') return []
  return Object.entries(texts).flatMap(([key, text]) =>
    key.startsWith(keyPrefix) && text.trim() !== '' ? [key.slice(keyPrefix.length)] : [],
  )
}

/** The conversations with a draft; a stable array. */
export function useDraftIds(): readonly string[] {
  return useDraftStore(useShallow(draftIds))
}

export function useDraft(conversationId: string): string {
  return useDraftStore(({ keyPrefix, texts }) => texts[keyOf(keyPrefix, conversationId)] ?? '')
}
