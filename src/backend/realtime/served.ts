/**
 * What Realtime serves: what the app subscribes to and the subscriptions that the specification names, nothing else.
 * docs/security.md explains it; tests/backend/realtime/served and tests/renderer/live/served-changes compare it with database and renderer.
 */

export type ChangeEvent = 'INSERT' | 'UPDATE'

export interface ServedChanges {
  events: readonly ChangeEvent[]
  /** Uuid columns that a filter may name. */
  filters: readonly string[]
  /** Uuid columns with the only members who may see the row: nobody else's subscriptions are looked at. */
  members: readonly string[]
}

/** Tables of `public` whose changes are published, in the member's private channel and in public channels of any name. */
export const SERVED_CHANGES: Readonly<Record<string, ServedChanges>> = {
  messages: {
    events: ['INSERT', 'UPDATE'],
    filters: ['conversation_id', 'recipient_id', 'sender_id'],
    members: ['recipient_id', 'sender_id'],
  },
  notifications: { events: ['INSERT'], filters: ['user_id'], members: ['user_id'] },
}

const UUID = String.raw`[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}`

/**
 * The private channels: `member:<id>` carries changes, `conversation:<id>` broadcasts and presence. The policies of
 * realtime.messages decide who may join.
 */
export const SERVED_CHANNELS = {
  topic: new RegExp(`^(conversation|member):${UUID}$`),
  changes: new RegExp(`^member:${UUID}$`),
  broadcasts: ['typing'],
} as const
