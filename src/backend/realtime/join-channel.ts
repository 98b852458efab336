import { type Channel, openChannel, type RealtimeContext, subscribeAll, subTopic } from './channel'
import type { Link } from './channel-messages'
import { ALL_RIGHTS } from './channel-rights'
import type { ClientMessage } from './frames'
import { type Identity, identityOf } from './identity'
import { type JoinConfig, parseJoin } from './join-config'
import { type Claims, TokenError } from './tokens'

/** A join that is refused; `message` is the reason the client is given. */
export class JoinError extends Error {
  override readonly name = 'JoinError'
}

export interface Joining {
  /** What the key of the connection alone is worth. */
  keyClaims: Claims
  /** Whether the connection is still open. */
  isOpen(): boolean
  onGone(): void
}

/** Lets a client into a channel, or rejects with a JoinError. Null when the connection was closed meanwhile. */
export async function joinChannel(
  context: RealtimeContext,
  link: Link,
  { topic, ref, payload }: ClientMessage,
  { keyClaims, isOpen, onGone }: Joining,
): Promise<Channel | null> {
  const name = subTopic(topic)
  if (name === '') throw new JoinError('TopicNameRequired: You must provide a topic name')
  const config = parseJoin(payload)
  if (config.bindings.length > context.limits.bindingsPerChannel) {
    throw new JoinError('ChannelRateLimitReached: Too many postgres_changes bindings')
  }
  const identity = await identify(context, config, keyClaims)
  const subscriptions = await subscribeAll(context.subscribe, config.bindings, identity.claims.role)
  // Last, so that no change of them can come between the answer and the channel that is told of such changes.
  const rights = config.isPrivate ? await context.askRights(identity, name) : ALL_RIGHTS
  if (!rights.broadcast.read && !rights.presence.read) {
    throw new JoinError(`Unauthorized: You do not have permissions to read from this Channel topic: ${name}`)
  }
  if (config.waitsForChanges && subscriptions.refusal !== null) {
    throw new JoinError(`RealtimeDisabledForConfiguration: ${subscriptions.refusal}`)
  }
  if (!isOpen()) return null
  return openChannel(context, link, { joinRef: ref, topic, config, identity, rights, subscriptions }, onGone)
}

async function identify(
  { tokens }: RealtimeContext,
  { accessToken }: JoinConfig,
  keyClaims: Claims,
): Promise<Identity> {
  if (accessToken === null || accessToken.startsWith('sb_')) return identityOf(keyClaims)
  try {
    return identityOf(await tokens.verify(accessToken))
  } catch (error) {
    if (error instanceof TokenError) throw new JoinError(`${error.code}: ${error.message}`, { cause: error })
    throw error
  }
}
