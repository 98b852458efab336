import type { ClientMessage, ServerMessage } from './frames'

/** The connection of a channel. */
export interface Link {
  send(message: ServerMessage): void
  sendFrame(frame: string | Buffer): void
}

/** What a channel sends to its client, in the envelopes of the protocol. */
export interface ChannelMessages {
  event(event: string, payload: unknown): void
  /** A message of the server itself; `extension` names the part of it. */
  system(extension: 'system' | 'postgres_changes', status: 'ok' | 'error', message: string): void
  reply(to: Pick<ClientMessage, 'ref'>, status: 'ok' | 'error', response?: object): void
  closed(): void
  /** The channel ended by a fault of the server: the client rejoins. */
  failed(): void
}

/** `name` is the topic without `realtime:`. */
export function createMessages(
  link: Link,
  topic: string,
  name: string,
  joinRef: string | null,
): ChannelMessages {
  const event: ChannelMessages['event'] = (kind, payload) =>
    link.send({ joinRef, ref: null, topic, event: kind, payload })
  return {
    event,
    system: (extension, status, message) => event('system', { extension, status, message, channel: name }),
    reply: ({ ref }, status, response = {}) =>
      link.send({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } }),
    closed: () => link.send({ joinRef, ref: joinRef, topic, event: 'phx_close', payload: {} }),
    failed: () => link.send({ joinRef, ref: joinRef, topic, event: 'phx_error', payload: {} }),
  }
}
