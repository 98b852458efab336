import type { QueryClient } from '@tanstack/react-query'
import { createStore } from 'zustand'
import { byTime } from '#/renderer/lib/live'
import { onePerClient } from '#/renderer/lib/query-client'

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

interface Placed {
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
export function withPendingTimes<C extends Placed>(
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
export function latestFirst<C extends Placed>(conversations: readonly C[], bumps: Bumps): C[] {
  const placeOf = ({ id, lastMessageAt }: Placed) => {
    const entry = bumps[id]
    const counts = entry !== undefined && (entry.above === null || entry.above >= lastMessageAt)
    return { at: counts ? entry.above : lastMessageAt, order: counts ? entry.order : 0 }
  }
  const compare = (a: C, b: C): number => {
    const [here, there] = [placeOf(a), placeOf(b)]
    if (here.at !== there.at) {
      if (here.at === null || there.at === null) return here.at === null ? -1 : 1
      return here.at > there.at ? -1 : 1
    }
    const byOrder = there.order - here.order
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
