import { type Channel, openChannel, type RealtimeContext, subTopic } from './channel'
import type { Link } from './channel-messages'
import { type ChannelRights, NO_RIGHTS, type RightsQuestion } from './channel-rights'
import type { ClientMessage } from './frames'
import { type Identity, identityOf } from './identity'
import type { JoinConfig } from './join-config'
import { JoinError } from './join-error'
import { SERVED_CHANNELS } from './served'
import { type Claims, TokenError } from './tokens'

export interface Joining {
  config: JoinConfig
  /** The claims of the connection's key alone. */
  keyClaims: Claims
  /** Whether the connection is still open. */
  isOpen(): boolean
  /** Called with the claims of a verified token, before the database is asked anything; may close the connection. */
  noteMember(claims: Claims): void
  onGone(): void
}

/** Lets a client into a channel, or rejects with a JoinError. Null when the connection was closed meanwhile. */
export async function joinChannel(
  context: RealtimeContext,
  link: Link,
  { topic, ref }: Pick<ClientMessage, 'topic' | 'ref'>,
  { config, keyClaims, isOpen, noteMember, onGone }: Joining,
): Promise<Channel | null> {
  const name = subTopic(topic)
  if (name === '') throw new JoinError('TopicNameRequired: You must provide a topic name')
  if (config.isPrivate && config.subscriptions.length > 0) {
    throw new JoinError('RealtimeDisabledForConfiguration: Changes are published in public channels only')
  }
  const identity = await identify(context, config, keyClaims)
  const { role, sub } = identity.claims
  noteMember(identity.claims)
  if (!isOpen()) return null
  if (config.subscriptions.length > 0 && (role !== 'authenticated' || sub === undefined)) {
    throw new JoinError('Unauthorized: Only members can subscribe to changes')
  }
  // Last, so that the rights cannot change before the channel is opened.
  const rights = config.isPrivate
    ? await askRights(context, { identity, topic: name, isGone: () => !isOpen() })
    : NO_RIGHTS
  if (!isOpen()) return null
  return openChannel(context, link, { joinRef: ref, topic, config, identity, rights }, onGone)
}

async function askRights(context: RealtimeContext, question: RightsQuestion): Promise<ChannelRights> {
  const rights = SERVED_CHANNELS.topic.test(question.topic) ? await context.askRights(question) : NO_RIGHTS
  if (!rights.broadcast.read && !rights.presence.read) {
    throw new JoinError(
      `Unauthorized: You do not have permissions to read from this Channel topic: ${question.topic}`,
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
