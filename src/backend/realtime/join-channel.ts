import { type Channel, openChannel, type RealtimeContext, subTopic } from './channel'
import { type ChannelRights, NO_RIGHTS, type RightsRequest } from './channel-rights'
import type { ClientMessage, Link } from './frames'
import { type Identity, identityOf } from './identity'
import type { JoinConfig } from './join-config'
import { JoinError } from './join-config'
import { SERVED_CHANNELS } from './served'
import { type Claims, TokenError } from './tokens'

export interface JoinOptions {
  config: JoinConfig
  /** The claims of the connection's key. */
  keyClaims: Claims
  /** Whether the connection is still open. */
  isOpen(): boolean
  /** Called with the claims of a verified token, before the database is queried; may close the connection. */
  identifyMember(claims: Claims): void
  onClose(): void
}

/** Joins a client to a channel. Rejects with a JoinError; resolves with null if the connection was closed meanwhile. */
export async function joinChannel(
  context: RealtimeContext,
  link: Link,
  { topic, ref }: Pick<ClientMessage, 'topic' | 'ref'>,
  { config, keyClaims, isOpen, identifyMember, onClose }: JoinOptions,
): Promise<Channel | null> {
  const name = subTopic(topic)
  if (name === '') throw new JoinError('TopicNameRequired: You must provide a topic name')
  if (config.isPrivate && config.subscriptions.length > 0) {
    throw new JoinError('RealtimeDisabledForConfiguration: Changes are published in public channels only')
  }
  const identity = await identify(context, config, keyClaims)
  const { role, sub } = identity.claims
  identifyMember(identity.claims)
  if (!isOpen()) return null
  if (config.subscriptions.length > 0 && (role !== 'authenticated' || sub === undefined)) {
    throw new JoinError('Unauthorized: Only members can subscribe to changes')
  }
  // Read last, so that the rights cannot change before the channel is opened.
  const rights = config.isPrivate
    ? await readRights(context, { identity, topic: name, isGone: () => !isOpen() })
    : NO_RIGHTS
  if (!isOpen()) return null
  return openChannel(context, link, { joinRef: ref, topic, config, identity, rights }, onClose)
}

async function readRights(context: RealtimeContext, request: RightsRequest): Promise<ChannelRights> {
  const rights = SERVED_CHANNELS.topic.test(request.topic) ? await context.readRights(request) : NO_RIGHTS
  if (!rights.broadcast.read && !rights.presence.read) {
    throw new JoinError(
      `Unauthorized: You do not have permissions to read from this Channel topic: ${request.topic}`,
    )
  }
  return rights
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
