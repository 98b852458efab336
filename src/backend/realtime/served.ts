/**
 * Allowlist of Realtime: the app's channels, and the subscriptions of other clients that are promised to work.
 * docs/security.md explains it; tests/backend/realtime/served.test.ts compares it with the database.
 */

/**
 * Tables of `public` whose new rows are sent as postgres_changes, and the uuid column that a subscription filters by. For
 * other clients: the app uses broadcasts.
 */
export const SERVED_CHANGES = { messages: 'conversation_id', notifications: 'user_id' } as const

/** The beginning of the topics in which comments are broadcast. */
export const POST_TOPIC = 'post:'

const UUID = String.raw`[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}`

/**
 * Private channels: the database broadcasts in `member:<id>`, in `post:<id>` and in `conversation:<id>:<epoch>`; members use
 * broadcasts and presence in `room:<id>:<epoch>`. The policies of realtime.messages decide who may join.
 */
export const SERVED_CHANNELS = {
  topic: new RegExp(String.raw`^((member|post):${UUID}|(conversation|room):${UUID}:\d{1,9})$`),
  /** Broadcasts that members may send. */
  broadcasts: ['typing'],
} as const
