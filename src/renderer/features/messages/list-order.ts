import type { QueryClient } from '@tanstack/react-query'
import { createStore } from 'zustand'
import { onePerClient } from '#/renderer/lib/core/one-per-client'
import { byTime } from '#/renderer/lib/live'

/** A conversation that the member opened with somebody (MSG-02): it moves to the top of the list. */
interface Bump {
  /** A later bump ranks above an earlier one. */
  order: number
  /**
   * Ranks above conversations whose last message is not later than this, by the server's clock; null: above
   * all.
   */
  above: string | null
}

/** Bumped conversations by id. */
export type Bumps = Readonly<Record<string, Bump>>

interface Sortable {
  id: string
  lastMessageAt: string
}

/** Creates the next bump. */
export function bump(bumps: Bumps): Bump {
  return { order: Math.max(0, ...Object.values(bumps).map(({ order }) => order)) + 1, above: null }
}

/** After a fetch of the list: bumped conversations rank above its latest message, and below later ones. */
export function withUpperBound(bumps: Bumps, latestAt: string | undefined): Bumps {
  return Object.fromEntries(
    Object.entries(bumps).map(([id, { order, above }]) => [id, { order, above: above ?? latestAt ?? null }]),
  )
}

/**
 * Uses the time of the last pending message of a conversation if it is later. `unsent`: these times by
 * conversation.
 */
export function withPendingTimes<C extends Sortable>(
  conversations: readonly C[],
  unsent: Readonly<Record<string, string>>,
): C[] {
  return conversations.map((conversation) => {
    const at = unsent[conversation.id]
    return at === undefined || at < conversation.lastMessageAt
      ? conversation
      : { ...conversation, lastMessageAt: at }
  })
}

/** Latest first, without duplicates; independent of the local clock. */
export function latestFirst<C extends Sortable>(conversations: readonly C[], bumps: Bumps): C[] {
  const sortKeyOf = ({ id, lastMessageAt }: Sortable) => {
    const entry = bumps[id]
    const counts = entry !== undefined && (entry.above === null || entry.above >= lastMessageAt)
    return { at: counts ? entry.above : lastMessageAt, order: counts ? entry.order : 0 }
  }
  const compare = (a: C, b: C): number => {
    const [keyA, keyB] = [sortKeyOf(a), sortKeyOf(b)]
    if (keyA.at !== keyB.at) {
      if (keyA.at === null || keyB.at === null) return keyA.at === null ? -1 : 1
      return keyA.at > keyB.at ? -1 : 1
    }
    const byOrder = keyB.order - keyA.order
    return (
      byOrder || byTime({ id: b.id, created_at: b.lastMessageAt }, { id: a.id, created_at: a.lastMessageAt })
    )
  }
  const byId = new Map(conversations.map((conversation) => [conversation.id, conversation]))
  return [...byId.values()].sort(compare)
}

/** The bumped conversations of a member. */
export const bumpsOf = onePerClient(() => createStore<Bumps>(() => ({})))

/** Moves a conversation to the top of the list; the next fetch of the list sets its bound. */
export function bumpConversation(client: QueryClient, id: string): void {
  bumpsOf(client).setState((bumps) => ({ [id]: bump(bumps) }))
}
