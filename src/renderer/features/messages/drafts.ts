import { create } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { logFailure } from '#/renderer/lib/logger'
import { storageKeyPrefix, storedKeys } from '#/renderer/lib/storage-key'
import type { Attempt } from './attempt'
import { type Draft, EMPTY_DRAFT, storeDraft, storedDraft, takeAbandoned } from './draft-storage'
import { livingWindows, tellOfWindow } from './windows'

/** What there is of a conversation in this window. */
interface Entry {
  draft: Draft
  /** What left the field and has no answer yet: kept like a draft, should the app end before there is one. */
  held: Draft | null
}

interface DraftStore {
  /** The member, and the server they are on: what they began is nobody else's. */
  place: string
  /** By the key under which they are kept; those of another place only while something is held there. */
  entries: Readonly<Record<string, Entry>>
}

const NOTHING: Entry = { draft: EMPTY_DRAFT, held: null }

const useDraftStore = create<DraftStore>(() => ({ place: '', entries: {} }))

/** Texts one below the other, those without a word left out. */
export function joinTexts(...parts: readonly string[]): string {
  return parts.filter((text) => text.trim() !== '').join('\n')
}

/** Two begun messages as one; at most one of them was sent before. */
function joined(first: Draft, second: Draft): Draft {
  return { text: joinTexts(first.text, second.text), attempt: first.attempt ?? second.attempt }
}

function readEntries(place: string): Record<string, Entry> {
  const keys = storedKeys(place)
  return Object.fromEntries(
    keys.map((key) => [key, { draft: storedDraft(localStorage.getItem(key)), held: null }]),
  )
}

function keyIn(place: string, conversationId: string): string {
  return `${place}${conversationId}`
}

/** The key of what is begun in a conversation by who is signed in now. */
export function draftKey(conversationId: string): string {
  return keyIn(useDraftStore.getState().place, conversationId)
}

/** `draftKey` for what is drawn. */
export function useDraftKey(conversationId: string): string {
  return useDraftStore(({ place }) => keyIn(place, conversationId))
}

function getEntry(key: string): Entry {
  return useDraftStore.getState().entries[key] ?? NOTHING
}

function showEntry(key: string, change: Partial<Entry>): Entry {
  const entry = { ...getEntry(key), ...change }
  useDraftStore.setState(({ entries }) => ({ entries: { ...entries, [key]: entry } }))
  return entry
}

/** Where nothing is kept any more: the accounts are gone. */
const forgotten = new Set<string>()

/** Whether what has this key is of an account that is gone: what still comes back of it is not kept. */
export function isForgotten(key: string): boolean {
  return [...forgotten].some((place) => key.startsWith(place))
}

function setEntry(key: string, change: Partial<Entry>): void {
  const { draft, held } = showEntry(key, change)
  if (!isForgotten(key)) storeDraft(key, draft, held)
}

/** Two windows show one field: what is typed in the other is there. */
function handleStorage({ key, newValue }: StorageEvent): void {
  if (key !== null && isHere(key)) showEntry(key, { draft: storedDraft(newValue) })
}

/** Puts what windows that died were sending back into the fields it came from. */
async function adoptAbandoned(place: string): Promise<void> {
  const living = await livingWindows()
  if (useDraftStore.getState().place !== place) return
  for (const key of storedKeys(place)) {
    for (const draft of takeAbandoned(key, living)) restoreDraft(key, draft)
  }
}

/** Brings what a member began to write on the server in use. */
export function openDrafts(me: string): void {
  const place = storageKeyPrefix('draft', me)
  const { place: before, entries } = useDraftStore.getState()
  if (before === place) return
  const held = Object.entries(entries).filter(([, entry]) => entry.held !== null)
  useDraftStore.setState({ place, entries: { ...readEntries(place), ...Object.fromEntries(held) } })
  tellOfWindow()
  addEventListener('storage', handleStorage)
  adoptAbandoned(place).catch((cause: unknown) => logFailure('read drafts', cause))
}

/** Nothing that this member began is shown or sent any more; it stays kept. Gives how the keys of it begin. */
export function closeDrafts(me: string): string | null {
  const { place, entries } = useDraftStore.getState()
  if (!place.endsWith(`.${me}.`)) return null
  const held = Object.entries(entries).filter(([, entry]) => entry.held !== null)
  useDraftStore.setState({ place: '', entries: Object.fromEntries(held) })
  return place
}

/** Removes what a member began on the server in use, whose account is gone. Gives how the keys of it began. */
export function forgetDrafts(me: string): string {
  const place = storageKeyPrefix('draft', me)
  forgotten.add(place)
  for (const key of storedKeys(place)) localStorage.removeItem(key)
  return place
}

/** Calls back when another member or server is in use, or none. */
export function onPlaceChange(listener: () => void): void {
  useDraftStore.subscribe((state, before) => {
    if (state.place !== before.place) listener()
  })
}

/** Whether what has this key is of the member and server in use. */
export function isHere(key: string): boolean {
  const { place } = useDraftStore.getState()
  return place !== '' && key.startsWith(place)
}

/** Keeps what was typed, also over a restart. */
export function setDraft(conversationId: string, text: string): void {
  const key = draftKey(conversationId)
  setEntry(key, { draft: { ...getEntry(key).draft, text } })
}

/** Empties the field; gives what was sent before of what was in it. */
export function takeDraft(key: string): Attempt | null {
  const { attempt } = getEntry(key).draft
  setEntry(key, { draft: EMPTY_DRAFT })
  return attempt
}

/** Keeps what is being sent, until null says that nothing is. */
export function holdDraft(key: string, held: Draft | null): void {
  setEntry(key, { held })
}

/** Puts what could not be sent back in front of what was typed since. */
export function restoreDraft(key: string, draft: Draft): void {
  setEntry(key, { draft: joined(draft, getEntry(key).draft) })
}

/** What was begun in a conversation. */
export function getDraftText(conversationId: string): string {
  return getEntry(draftKey(conversationId)).draft.text
}

function begunIds({ place, entries }: DraftStore): string[] {
  if (place === '') return []
  return Object.entries(entries).flatMap(([key, { draft }]) =>
    key.startsWith(place) && draft.text.trim() !== '' ? [key.slice(place.length)] : [],
  )
}

/** The conversations in which something is begun; the same list for as long as it is of the same ones. */
export function useBegunIds(): readonly string[] {
  return useDraftStore(useShallow(begunIds))
}

/** `getDraftText` for what is drawn. */
export function useDraft(conversationId: string): string {
  return useDraftStore(({ place, entries }) => entries[keyIn(place, conversationId)]?.draft.text ?? '')
}
