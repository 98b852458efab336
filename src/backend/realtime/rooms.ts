import { randomBytes } from 'node:crypto'
import { type BroadcastContent, encodeBroadcast } from './frames'

/** A joined channel of one client in a room. */
export interface Occupant {
  /** The id of its member. */
  member: string
  /** Several occupants may have the same key. */
  presenceKey: string
  receivesBroadcasts(): boolean
  receivesPresence(): boolean
  sendFrame(frame: Buffer): void
  sendEvent(event: string, payload: unknown): void
}

type Meta = Record<string, unknown>
/** Phoenix's format: the present occupants by presence key. */
type PresenceState = Record<string, { metas: Meta[] }>

/** The occupants of a topic, and the presence of those who have tracked it. */
interface Room {
  occupants: Set<Occupant>
  tracked: Map<Occupant, Meta>
}

export interface Rooms {
  enter(name: string, occupant: Occupant): void
  leave(name: string, occupant: Occupant): void
  /** The members in a room, each once. */
  members(name: string): string[]
  /** Sends to the occupants of a room, or those of them that `isRecipient` accepts. */
  broadcast(name: string, content: BroadcastContent, isRecipient?: (occupant: Occupant) => boolean): void
  /** Makes an occupant present, or replaces its payload. */
  track(name: string, occupant: Occupant, payload: Record<string, unknown>): void
  untrack(name: string, occupant: Occupant): void
  presenceState(name: string): PresenceState
}

/** The rooms of private channels, by topic. */
export function createRooms(): Rooms {
  const rooms = new Map<string, Room>()

  const sendPresenceDiff = (room: Room, joins: PresenceState, leaves: PresenceState) => {
    for (const occupant of room.occupants) {
      if (occupant.receivesPresence()) occupant.sendEvent('presence_diff', { joins, leaves })
    }
  }

  const untrack = (name: string, occupant: Occupant) => {
    const room = rooms.get(name)
    const meta = room?.tracked.get(occupant)
    if (room === undefined || meta === undefined) return
    room.tracked.delete(occupant)
    sendPresenceDiff(room, {}, stateOf([[occupant, meta]]))
  }

  return {
    enter: (name, occupant) => {
      const room = rooms.get(name) ?? { occupants: new Set(), tracked: new Map() }
      room.occupants.add(occupant)
      rooms.set(name, room)
    },
    leave: (name, occupant) => {
      const room = rooms.get(name)
      if (room === undefined) return
      room.occupants.delete(occupant)
      untrack(name, occupant)
      if (room.occupants.size === 0) rooms.delete(name)
    },
    members: (name) => [...new Set([...(rooms.get(name)?.occupants ?? [])].map(({ member }) => member))],
    broadcast: (name, content, isRecipient = () => true) => {
      const room = rooms.get(name)
      if (room === undefined) return
      const frame = encodeBroadcast(`realtime:${name}`, content)
      for (const occupant of room.occupants) {
        if (occupant.receivesBroadcasts() && isRecipient(occupant)) occupant.sendFrame(frame)
      }
    },
    track: (name, occupant, payload) => {
      const room = rooms.get(name)
      if (room === undefined) return
      const before = room.tracked.get(occupant)
      const meta: Meta = { ...payload, phx_ref: randomBytes(9).toString('base64url') }
      room.tracked.set(occupant, meta)
      sendPresenceDiff(room, stateOf([[occupant, meta]]), stateOf(before ? [[occupant, before]] : []))
    },
    untrack,
    presenceState: (name) => stateOf(rooms.get(name)?.tracked ?? []),
  }
}

function stateOf(tracked: Iterable<[Occupant, Meta]>): PresenceState {
  // Without a prototype, because clients choose presence keys and may send `__proto__`.
  const state: PresenceState = Object.create(null)
  for (const [{ presenceKey }, meta] of tracked) {
    const entry = state[presenceKey] ?? { metas: [] }
    entry.metas.push(meta)
    state[presenceKey] = entry
  }
  return state
}
