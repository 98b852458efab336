/**
 * Allowlist of Realtime: the app's channels, and the subscriptions of other clients that are promised to work.
 * docs/security.md explains it; tests/backend/realtime/served.test.ts compares it with the database.
 */

export interface ServedChanges {
  /** The uuid column that a subscription filters by. */
  filter: string
  /** Uuid columns with the members who may see the row. Subscriptions of other members are skipped. */
  members: readonly string[]
}

/** Tables of `public` whose inserts are published with postgres_changes, for other clients. The app uses broadcasts. */
export const SERVED_CHANGES: Readonly<Record<string, ServedChanges>> = {
  messages: { filter: 'conversation_id', members: ['recipient_id', 'sender_id'] },
  notifications: { filter: 'user_id', members: ['user_id'] },
}

const UUID = String.raw`[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}`

/**
 * Private channels: the database broadcasts in `member:<id>`; and in `post:<id>`; members use broadcasts and presence in
 * `conversation:<id>`. The policies of realtime.messages decide who may join.
 */
export const SERVED_CHANNELS = {
  topic: new RegExp(`^(conversation|member|post):${UUID}$`),
  /** Broadcasts that members may send. */
  broadcasts: ['typing'],
} as const
