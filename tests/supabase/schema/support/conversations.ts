import type { Community } from './community'
import { inBulk } from './crowd'

/** Makes both of each pair its members, for conversations that were inserted without their triggers. */
export const JOIN_CONVERSATIONS = `
  insert into conversation_members (conversation_id, member_id, joined_at)
  select c.id, member, c.created_at
  from conversations c cross join lateral (values (c.participant_1), (c.participant_2)) as members (member)
  where c.kind = 'pair' on conflict do nothing`

/** Lists such conversations for both members, who have accepted them. */
export const LIST_CONVERSATIONS = `
  insert into conversation_views (member_id, conversation_id, folder, accepted, unread, last_message_at, listed_at)
  select member, c.id, 'inbox', true, exists (
      select 1 from messages m
      where m.recipient_id = member and not m.read and m.conversation_id = c.id and m.deleted_at is null
    ), c.last_message_at, c.last_message_at
  from conversations c cross join lateral (values (c.participant_1), (c.participant_2)) as members (member)
  where c.kind = 'pair' on conflict do nothing`

/** Messages in the longest conversation of `addConversations`, and in total. */
export const LONGEST = 16_000
export const MESSAGES = 40_000

/**
 * Adds a conversation of `viewer` with each member of the crowd, and some within the crowd, with 40,000 messages. Returns
 * the conversation with 16,000 of them. A tenth is unread, every hundredth replies to another message and every thousandth
 * to a story of `storyteller`.
 */
export async function addConversations(
  community: Community,
  viewer: string,
  storyteller: string,
): Promise<string> {
  let longest: unknown
  await inBulk(community, async () => {
    await community.sql`
      insert into conversations (participant_1, participant_2, participant_1_wrote, participant_2_wrote, last_message_at)
       select case when n % 2 = 0 then ${viewer} else id end, case when n % 2 = 0 then id else ${viewer} end, true, true,
         timestamptz '2026-03-01' + n * interval '1 minute'
       from (select id, split_part(username, '.', 2)::integer as n from profiles where username ~ '^crowd') as crowd`
    await community.sql(`
      insert into conversations (participant_1, participant_2, participant_1_wrote, participant_2_wrote, last_message_at)
      select a.id, b.id, true, true, timestamptz '2026-03-01' + n * interval '1 minute'
      from generate_series(2, 399) as n
      join profiles a on a.username = 'crowd.' || n
      join profiles b on b.username = 'crowd.' || n + 200`)
    const [oldest] = await community.sql`select id from conversations where participant_1 = ${viewer}
      order by last_message_at limit 1`
    longest = oldest?.id
    await community.sql`insert into stories (user_id, media_url, media_type, created_at, expires_at)
       select ${storyteller}, 'data:image/png;base64,AAAA', 'image', at, at + interval '24 hours'
       from (select now() - n * interval '5 minutes' as at from generate_series(0, 2000) as n) as times`
    await community.sql(
      `with chats as materialized (
         select id, participant_1, participant_2, row_number() over (order by id <> $1, id) - 1 as place
         from conversations
       )
       insert into messages
         (id, conversation_id, sender_id, recipient_id, content, read, created_at, reply_to_id, answers_story, story_id)
       select md5(n::text)::uuid, id,
         case when n % 2 = 0 then participant_1 else participant_2 end,
         case when n % 2 = 0 then participant_2 else participant_1 end,
         'message ' || n, n % 10 > 0, timestamptz '2026-01-01' + n * interval '1 second',
         case when n < ${LONGEST} and n % 100 = 0 then md5((n - 1)::text)::uuid end,
         n % 1000 = 0, case when n % 1000 = 0 then (select id from stories order by id limit 1) end
       from generate_series(1, ${MESSAGES}) as n
       join chats on place = case when n <= ${LONGEST} then 0 else n % (select count(*) from chats) end`,
      [longest],
    )
    await community.sql(LIST_CONVERSATIONS)
    await community.sql(JOIN_CONVERSATIONS)
    await community.sql`insert into story_views (story_id, viewer_id) select id, ${viewer} from stories`
  })
  return String(longest)
}
