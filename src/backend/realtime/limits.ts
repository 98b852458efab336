/** Limits of one connection, unless stated otherwise. The numbers are a hosted project's where it has such a limit. */
export const DEFAULT_LIMITS = {
  /** The app has two, up to twenty of groups and one for each post whose comments it shows; hosted allows 100. */
  channelsPerConnection: 30,
  /** Messages, pings and pongs; more close the connection. */
  messagesPerSecond: 100,
  /** More bytes close the connection. The app sends a few KB when it connects. */
  bytesPerSecond: 128 * 1024,
  /** Queued frames, and their bytes; more of either close the connection. */
  waitingFrames: 200,
  waitingBytes: 128 * 1024,
  /** Payload of a broadcast or presence message. The app sends empty ones. */
  payloadBytes: 1024,
  /** A larger frame closes the connection with 1009. A join contains a token of about 1 KB. */
  frameBytes: 64 * 1024,
  /** Broadcasts and presence messages of one member in one topic, over all connections and joins. The app sends one in 5 s. */
  sendsPerSecond: 10,
  /** Unsent bytes for a client that does not read; beyond that the connection is closed, and the client reconnects. */
  unsentBytes: 256 * 1024,
}

export type RealtimeLimits = typeof DEFAULT_LIMITS
