import type { Member } from '#tests/backend/support/members'
import { addObjects, photoOf } from '#tests/supabase/objects'
import { expectDone } from './answers'
import { type Cast, type Name, PICTURE } from './cast'

/** Ids of the rows that connect two members with each other and with bystanders. */
export interface Connections {
  /** A post and a story of each of the two. */
  posts: Record<'ada' | 'ben', string>
  stories: Record<'ada' | 'ben', string>
  /** Tim's post, which mentions both, and which both and Sid have liked and commented on. */
  bystanders: string
  conversation: string
  /** The message of each member to the other. */
  messages: Record<'ada' | 'ben', string>
}

const id = () => crypto.randomUUID()

const connected = new WeakMap<Cast, Connections>()

/** Restores the community in which Ada and Ben are connected in every way. */
export async function restoreConnected(cast: Cast): Promise<Connections> {
  const known = connected.get(cast)
  if (known !== undefined) {
    await cast.restore('connected')
    return known
  }
  await cast.restore('public')
  const things = await connectMembers(cast)
  await cast.remember('connected')
  connected.set(cast, things)
  return things
}

/** Connects Ada and Ben in every way, directly and through others. */
async function connectMembers({ server, members, ids }: Cast): Promise<Connections> {
  const { ada, ben, sid, tim } = members
  const insert = async (member: Member, table: string, row: object) =>
    expectDone(await member.client.from(table).insert(row))
  const things: Connections = {
    posts: { ada: ids.post, ben: id() },
    stories: { ada: ids.story, ben: id() },
    bystanders: id(),
    conversation: id(),
    messages: { ada: id(), ben: id() },
  }
  const { posts, stories, bystanders, conversation, messages } = things
  const photos = [photoOf(await addObjects(server.query, ben.id))]
  expectDone(
    await ben.client.rpc('create_post', {
      post_id: posts.ben,
      content: 'Ben’s bridge, for @ada',
      location: 'Bridge',
      media: photos,
    }),
  )
  await insert(ada, 'posts', { user_id: ada.id, content: 'For @ben as well' })
  await insert(ben, 'stories', { id: stories.ben, user_id: ben.id, media_url: PICTURE, media_type: 'image' })
  await insert(ada, 'follows', { follower_id: ada.id, following_id: ben.id })
  await insert(ada, 'likes', { post_id: posts.ben, user_id: ada.id })
  await insert(ada, 'saved_posts', { post_id: posts.ben, user_id: ada.id })
  await insert(ada, 'comments', { post_id: posts.ben, user_id: ada.id, content: 'Ada says so' })
  await insert(ada, 'story_views', { story_id: stories.ben, viewer_id: ada.id })
  await insert(tim, 'posts', { id: bystanders, user_id: tim.id, content: 'Here with @ada and @ben' })
  const comments = [id(), id(), id()]
  for (const [index, member] of [ada, ben, sid].entries()) {
    await insert(member, 'likes', { post_id: bystanders, user_id: member.id })
    const content = `${['Ada', 'Ben', 'Sid'][index]} was here`
    await insert(member, 'comments', {
      id: comments[index],
      post_id: bystanders,
      user_id: member.id,
      content,
    })
    if (member !== ada) await insert(ada, 'mutes', { muter_id: ada.id, muted_id: member.id })
    if (member !== ben) await insert(ben, 'mutes', { muter_id: ben.id, muted_id: member.id })
  }
  for (const member of [ada, ben]) {
    await insert(member, 'comment_likes', { comment_id: comments[2], user_id: member.id })
    await insert(sid, 'follows', { follower_id: sid.id, following_id: member.id })
    await insert(member, 'follows', { follower_id: member.id, following_id: tim.id })
    await insert(member, 'reports', { reporter_id: member.id, member_id: sid.id, reason: 'other' })
  }
  await insert(ben, 'activity', { user_id: ben.id })
  await insert(ben, 'conversations', { id: conversation, participant_1: ben.id, participant_2: ada.id })
  for (const name of ['ada', 'ben'] as const) {
    const sender_id = members[name].id
    await insert(members[name], 'messages', {
      id: messages[name],
      conversation_id: conversation,
      sender_id,
      content: `A word from ${name}`,
    })
  }
  await insert(ada, 'message_reactions', { message_id: messages.ben, member_id: ada.id, emoji: '👍' })
  await insert(ben, 'message_reactions', { message_id: messages.ada, member_id: ben.id, emoji: '👍' })
  return things
}

export async function block({ members }: Cast, blocker: Name, blocked: Name): Promise<void> {
  expectDone(await members[blocker].client.rpc('block_members', { ids: [members[blocked].id] }))
}

export async function unblock({ members }: Cast, blocker: Name, blocked: Name): Promise<void> {
  const { client } = members[blocker]
  expectDone(await client.from('blocks').delete().eq('blocked_id', members[blocked].id))
}
