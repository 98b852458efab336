/**
 * What Realtime serves: what the app subscribes to and the subscriptions that the specification names, nothing else.
 * docs/security.md explains it; tests/backend/realtime/served and tests/renderer/live/served-changes compare it with database and renderer.
 */

export interface ServedChanges {
  /** The uuid column that a subscription filters by. */
  filter: string
  /** Uuid columns with the only members who may see the row: nobody else's subscriptions are looked at. */
  members: readonly string[]
}

/** Tables of `public` whose new rows are published, for the subscriptions of the specification's section 7. The app uses broadcasts. */
export const SERVED_CHANGES: Readonly<Record<string, ServedChanges>> = {
  messages: { filter: 'conversation_id', members: ['recipient_id', 'sender_id'] },
  notifications: { filter: 'user_id', members: ['user_id'] },
}

const UUID = String.raw`[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}`

/**
 * The private channels: the database broadcasts in `member:<id>`, members broadcast and are present in
 * `conversation:<id>`. The policies of realtime.messages decide who may join.
 */
export const SERVED_CHANNELS = {
  topic: new RegExp(`^(conversation|member):${UUID}$`),
  /** Broadcasts that members may send. */
  broadcasts: ['typing'],
} as const
