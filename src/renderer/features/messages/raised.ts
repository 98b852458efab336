import { byTime } from '#/renderer/lib/live'

/** A conversation that was begun or taken up again here. */
interface Raise {
  /** Later ones are above earlier ones. */
  order: number
  /** It is above conversations whose last message is no later than this, by the server's clock; null: above all. */
  above: string | null
}

/** Those that were raised, by the conversation's id. */
export type Raised = Readonly<Record<string, Raise>>

/** A conversation as far as its place goes. */
interface Placed {
  id: string
  lastMessageAt: string
}

/** The next one that is raised. */
export function raise(raised: Raised): Raise {
  return { order: Math.max(0, ...Object.values(raised).map(({ order }) => order)) + 1, above: null }
}

/** After a read of the list: those that were raised are above its latest message, and below what comes later. */
export function pinned(raised: Raised, latestAt: string | undefined): Raised {
  return Object.fromEntries(
    Object.entries(raised).map(([id, { order, above }]) => [id, { order, above: above ?? latestAt ?? null }]),
  )
}

/** Each placed by what was written in it last, on the server or not there yet; `unsent`: when, by conversation. */
export function placedBy<C extends Placed>(
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

/** Each once, the latest first; this machine's clock has no say in it. */
export function latestFirst<C extends Placed>(conversations: readonly C[], raised: Raised): C[] {
  const placeOf = ({ id, lastMessageAt }: Placed) => {
    const entry = raised[id]
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
