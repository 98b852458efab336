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
  channelsPerConnection: number
  /** Bindings of postgres_changes; hosted has no limit. The app has 5, and twice as many while it rejoins. */
  bindingsPerConnection: number
  /** Messages of one connection per second, heartbeats apart; past ten times as many the connection is cut. */
  messagesPerSecond: number
  joinsPerSecond: number
  /** Frames of one connection that wait to be handled, and their bytes; past either the connection is cut. */
  waitingFrames: number
  waitingBytes: number
  /** Bytes of a broadcast's or a presence's payload; the app sends empty ones, hosted allows 256 KB. */
  payloadBytes: number
  /** Bytes of any frame; a longer one closes the connection with 1009. A join has a token of about 1 KB. */
  frameBytes: number
  /** Presence messages of one channel per window. */
  presenceCalls: number
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
  channelsPerConnection: 100,
  bindingsPerConnection: 10,
  messagesPerSecond: 100,
  joinsPerSecond: 100,
  waitingFrames: 1_000,
  waitingBytes: 4 * 1024 * 1024,
  payloadBytes: 4 * 1024,
  frameBytes: 64 * 1024,
  presenceCalls: 5,
  presenceWindowMs: 30_000,
  unsentBytes: 16 * 1024 * 1024,
  silenceMs: 60_000,
}
