/** What one connection may ask of the server. The numbers are those of a hosted project unless said otherwise. */
export interface RealtimeLimits {
  /** Of the whole server; the handshake of one more is refused. */
  connections: number
  /** Connections of one network address on which no member has joined; one more closes the oldest. Hosted has no such limit. */
  connectionsPerAddress: number
  /** Connections of one member; one more is closed at its first join. Hosted has no such limit. */
  connectionsPerMember: number
  /** A connection on which no member has joined for this long is cut; the key alone, which everybody has, opens it. */
  strangerMs: number
  /** Hosted allows 100; the app has two, and at most twice as many while it rejoins. */
  channelsPerConnection: number
  /** Bindings of postgres_changes; hosted has no limit. The app has 5, and twice as many while it rejoins. */
  bindingsPerConnection: number
  /** Messages of one connection per second; at three times as many the connection is closed. */
  messagesPerSecond: number
  /** Bytes of one connection per second; beyond that it is closed. The app sends a few KB when it connects. */
  bytesPerSecond: number
  /** Of one connection. Hosted allows 100; the app joins two channels when it connects. */
  joinsPerSecond: number
  /** Questions about the rights of one member that wait for the database; joins beyond that are refused. */
  rightsWaiting: number
  /**
   * Frames of one connection that wait to be handled, and their bytes; past either the connection is closed. Frames wait as
   * bytes, so all connections together hold at most `connections` times as much.
   */
  waitingFrames: number
  waitingBytes: number
  /** Bytes of a broadcast's or a presence's payload; the app sends empty ones, hosted allows 256 KB. */
  payloadBytes: number
  /** Bytes of any frame; a longer one closes the connection with 1009. A join has a token of about 1 KB. */
  frameBytes: number
  /** Broadcasts of one member in one topic per second, over all connections. The app sends one in 5 s. */
  broadcastsPerSecond: number
  /** Presence messages of one channel per window. */
  presenceCalls: number
  /** Presence messages of one member in one topic per window: rejoining must not start the count again. */
  memberPresenceCalls: number
  presenceWindowMs: number
  /** Bytes waiting for a client that does not read; past them the connection is cut, and the client begins anew. */
  unsentBytes: number
  /** A connection that has said nothing for this long is cut: clients send a heartbeat every 25 s. */
  silenceMs: number
}

export const DEFAULT_LIMITS: RealtimeLimits = {
  connections: 200,
  connectionsPerAddress: 40,
  connectionsPerMember: 20,
  strangerMs: 60_000,
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
  silenceMs: 60_000,
}
