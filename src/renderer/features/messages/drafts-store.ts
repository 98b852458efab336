import { create } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { type DraftTimes, editStamp, removeOldItems } from '#/renderer/lib/local/draft-age'
import {
  isRecord,
  readItem,
  storageKeyPrefix,
  storedKeys,
  storeItem,
} from '#/renderer/lib/local/local-storage'
import { trimText } from '#/shared/visible-text'

const KIND = 'draft'

interface DraftStore {
  /** Key prefix of the signed-in member on the current server; empty if signed out. */
  keyPrefix: string
  /** By key in localStorage. */
  texts: Readonly<Record<string, string>>
  /** Key prefixes of members whose drafts were deleted: nothing is stored for them until they sign in again. */
  forgotten: readonly string[]
}

const useDraftStore = create<DraftStore>(() => ({ keyPrefix: '', texts: {}, forgotten: [] }))

/** Joins texts with line breaks, without empty ones. */
export function joinTexts(...parts: readonly string[]): string {
  return parts.filter((text) => trimText(text) !== '').join('\n')
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
  storeItem(key, text === '' ? null : JSON.stringify({ text, ...editStamp() }), 'store draft')
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

/** Whether a key belongs to a member whose drafts were deleted. */
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

function readTexts(keyPrefix: string): Record<string, string> {
  return Object.fromEntries(storedKeys(keyPrefix).map((key) => [key, parseText(readItem(key))]))
}

/** Loads a member's drafts on the current server. */
export function openDrafts(me: string): void {
  const keyPrefix = storageKeyPrefix(KIND, me)
  if (useDraftStore.getState().keyPrefix === keyPrefix) return
  useDraftStore.setState(({ forgotten }) => ({
    keyPrefix,
    texts: readTexts(keyPrefix),
    forgotten: forgotten.filter((each) => each !== keyPrefix),
  }))
  addEventListener('storage', handleStorage)
}

/** Removes drafts of all members that nobody has edited for `DRAFT_DAYS`. */
export function removeOldDrafts(times: DraftTimes): void {
  removeOldItems(`vignette.${KIND}.`, times)
  useDraftStore.setState(({ keyPrefix }) => (keyPrefix === '' ? {} : { texts: readTexts(keyPrefix) }))
}

/** Whether a member has a text in the field of a conversation, on the current server. */
export function hasDrafts(me: string): boolean {
  const texts = Object.values(readTexts(storageKeyPrefix(KIND, me)))
  return texts.some((text) => trimText(text) !== '')
}

/** Records that the attachments of a draft were edited: they go together with its text. */
export function touchDraft(key: string): void {
  const text = getText(key)
  if (text !== '') storeText(key, text)
}

/** Unloads a member's drafts, which stay stored. */
export function closeDrafts(me: string): void {
  if (useDraftStore.getState().keyPrefix.endsWith(`.${me}.`))
    useDraftStore.setState({ keyPrefix: '', texts: {} })
}

/** Removes the drafts of a member on the current server. Returns their key prefix. */
export function forgetDrafts(me: string): string {
  const keyPrefix = storageKeyPrefix(KIND, me)
  useDraftStore.setState(({ forgotten }) => ({ forgotten: [...forgotten, keyPrefix] }))
  for (const key of storedKeys(keyPrefix)) storeItem(key, null)
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
    key.startsWith(keyPrefix) && trimText(text) !== '' ? [key.slice(keyPrefix.length)] : [],
  )
}

/** The conversations with a draft; a stable array. */
export function useDraftIds(): readonly string[] {
  return useDraftStore(useShallow(draftIds))
}

export function useDraft(conversationId: string): string {
  return useDraftStore(({ keyPrefix, texts }) => texts[keyOf(keyPrefix, conversationId)] ?? '')
}
