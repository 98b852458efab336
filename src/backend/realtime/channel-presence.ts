import * as z from 'zod'
import { createRateLimiter } from '#/backend/rate-limiter'
import type { ChannelMessages, ClientMessage } from './frames'
import type { RealtimeLimits } from './limits'
import type { Occupant, Rooms } from './rooms'

const messageSchema = z.object({
  event: z.string().transform((event) => event.toLowerCase()),
  payload: z.unknown().optional(),
})
const trackedSchema = z.record(z.string(), z.unknown())

export interface ChannelPresenceOptions {
  rooms: Rooms
  room: string
  occupant: Occupant
  limits: RealtimeLimits
  messages: ChannelMessages
  /** Counts a message of this member; false if all connections together have sent too many. */
  mayCall(): boolean
  canWrite(): boolean
  shutDown(reason: string): void
}

/** The presence of one channel's client. */
export interface ChannelPresence {
  /** Handles a `presence` message. */
  handle(message: ClientMessage): void
  /** Sends the presence state to the client, if it has enabled presence and may see it. */
  sendState(): void
  /** Ends the client's presence. */
  end(): void
}

export function createChannelPresence(options: ChannelPresenceOptions): ChannelPresence {
  const { rooms, room, occupant, limits, messages } = options
  const calls = createRateLimiter({ limit: limits.presenceCalls, windowMs: limits.presenceWindowMs })
  let lastTracked: string | null = null

  const sendState = () => {
    if (occupant.receivesPresence()) messages.event('presence_state', rooms.presenceState(room))
  }

  const end = () => {
    rooms.untrack(room, occupant)
    lastTracked = null
  }

  const track = (message: ClientMessage, given: unknown) => {
    if (!options.canWrite()) return messages.reply(message, 'error')
    const payload = trackedSchema.safeParse(given ?? {})
    if (!payload.success) {
      return messages.reply(message, 'error', { reason: 'Presence track payload must be a map' })
    }
    const text = JSON.stringify(payload.data)
    if (Buffer.byteLength(text) > limits.payloadBytes) return options.shutDown('Track message size exceeded')
    if (text !== lastTracked) rooms.track(room, occupant, payload.data)
    lastTracked = text
    messages.reply(message, 'ok')
  }

  const handle = (message: ClientMessage) => {
    if (calls.take() > 0 || !options.mayCall()) return options.shutDown('Client presence rate limit exceeded')
    const { data } = messageSchema.safeParse(message.payload)
    if (data?.event === 'track') return track(message, data.payload)
    if (data?.event !== 'untrack') return messages.reply(message, 'error')
    end()
    messages.reply(message, 'ok')
  }

  return { handle, sendState, end }
}
