/** Limits of one connection, unless stated otherwise. The defaults are a hosted project's, unless stated otherwise. */
export interface RealtimeLimits {
  /** Connections of the whole server. */
  connections: number
  /** Connections of one network address on which no member has joined; one more closes the oldest. Hosted has no such limit. */
  connectionsPerAddress: number
  /** Connections of one member; one more is closed at its first join. Hosted has no such limit. */
  connectionsPerMember: number
  /** A connection without a member is closed after this time, because the publishable key alone opens it. */
  unauthenticatedMs: number
  /** Hosted allows 100; the app has two and one for each post whose comments it shows, and at most twice as many while it rejoins. */
  channelsPerConnection: number
  /** Bindings of postgres_changes. Hosted has no such limit; the app uses none. */
  bindingsPerConnection: number
  /** Three times as many messages close the connection. */
  messagesPerSecond: number
  /** More bytes close the connection. The app sends a few KB when it connects. */
  bytesPerSecond: number
  /** Hosted allows 100; the app joins two channels when it connects. */
  joinsPerSecond: number
  /** Reads of one member's rights that may wait for the database; joins beyond that are refused. */
  rightsWaiting: number
  /** Queued frames, and their bytes; more of either close the connection. */
  waitingFrames: number
  waitingBytes: number
  /** Payload of a broadcast or presence message. Hosted allows 256 KB; the app sends empty ones. */
  payloadBytes: number
  /** A larger frame closes the connection with 1009. A join contains a token of about 1 KB. */
  frameBytes: number
  /** Broadcasts of one member in one topic, over all connections. The app sends one in 5 s. */
  broadcastsPerSecond: number
  /** Presence messages of one channel per window. */
  presenceCalls: number
  /** Presence messages of one member in one topic per window, so that rejoining does not reset the limit. */
  memberPresenceCalls: number
  presenceWindowMs: number
  /** Unsent bytes for a client that does not read; beyond that the connection is closed, and the client reconnects. */
  unsentBytes: number
  /** A connection that sends nothing for this time is closed. Clients send a heartbeat every 25 s. */
  idleMs: number
}

export const DEFAULT_LIMITS: RealtimeLimits = {
  connections: 200,
  connectionsPerAddress: 40,
  connectionsPerMember: 20,
  unauthenticatedMs: 60_000,
  channelsPerConnection: 30,
  bindingsPerConnection: 10,
  messagesPerSecond: 100,
  bytesPerSecond: 128 * 1024,
  joinsPerSecond: 30,
  rightsWaiting: 60,
  waitingFrames: 200,
  waitingBytes: 128 * 1024,
  payloadBytes: 4 * 1024,
  frameBytes: 64 * 1024,
  broadcastsPerSecond: 20,
  presenceCalls: 5,
  memberPresenceCalls: 40,
  presenceWindowMs: 30_000,
  unsentBytes: 1024 * 1024,
  idleMs: 60_000,
}
