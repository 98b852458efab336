/** Finds rows that contradict each other, by kind of problem. There must be none after any concurrent writes. */
export async function findInconsistencies({
  sql,
}: {
  sql(parts: TemplateStringsArray): PromiseLike<readonly unknown[]>
}): Promise<Record<string, readonly unknown[]>> {
  const rowsByProblem: Record<string, readonly unknown[]> = {
    'members whose counts are wrong': await sql`
      select p.username from profiles p
      where shown_post_count(p) <> (select count(*) from posts where user_id = p.id and audience <> 'nobody')
        or shown_follower_count(p) <> (select count(*) from follows where following_id = p.id)
        or shown_following_count(p) <> (select count(*) from follows where follower_id = p.id)`,
    'posts whose counts or audience are wrong': await sql`
      select p.id from posts p join profiles a on a.id = p.user_id
      where shown_like_count(p) <> (select count(*) from likes where post_id = p.id)
        or shown_comment_count(p) <> (select count(*) from comments where post_id = p.id)
        or p.audience <> private.audience_of(a.is_private, p.state)`,
    'comments whose counts are wrong': await sql`
      select c.id from comments c
      where shown_like_count(c) <> (select count(*) from comment_likes where comment_id = c.id)
        or shown_reply_count(c) <> (select count(*) from comments where parent_id = c.id)`,
    'posts that are empty': await sql`
      select p.id from posts p
      where p.content !~ '\\S' and p.image_url is null and not exists (select from post_media where post_id = p.id)`,
    'stories whose audience is wrong': await sql`
      select s.id from stories s join profiles a on a.id = s.user_id
      where s.audience <> private.audience_of(a.is_private, s.state)`,
    'words and topics of posts with another audience': await sql`
      select p.id from posts p join private.post_words w on w.post_id = p.id where w.audience <> p.audience
      union select p.id from posts p join post_topics t on t.post_id = p.id where t.audience <> p.audience`,
    'follows across a block': await sql`
      select from blocks b join follows f
        on (f.follower_id, f.following_id) in ((b.blocker_id, b.blocked_id), (b.blocked_id, b.blocker_id))`,
    'likes and comments across a block': await sql`
      select from blocks b join posts p on p.user_id in (b.blocker_id, b.blocked_id)
      where exists (select from likes l where l.post_id = p.id
          and l.user_id in (b.blocker_id, b.blocked_id) and l.user_id <> p.user_id)
        or exists (select from comments c where c.post_id = p.id
          and c.user_id in (b.blocker_id, b.blocked_id) and c.user_id <> p.user_id)`,
    'pairs whose members, views or participants differ': await sql`
      select c.id from conversations c
      where c.kind = 'pair' and (
        array(select member_id from conversation_members where conversation_id = c.id and state = 'in' order by 1)
          <> array(select unnest(array[c.participant_1, c.participant_2]) order by 1)
        or array(select member_id from conversation_views where conversation_id = c.id and writes and sees_members
            and reads_after = '-infinity' and not is_group order by 1)
          <> array(select unnest(array[c.participant_1, c.participant_2]) order by 1))`,
    'members of groups whose views differ': await sql`
      select c.id from conversations c
      where c.kind = 'group' and exists (
        select from (select * from conversation_members where conversation_id = c.id) m
        full join (select * from conversation_views where conversation_id = c.id) v using (member_id)
        where (v.writes, v.sees_members, v.is_group, v.reads_after) is distinct from (
          m.state = 'in', m.state in ('in', 'invited'), true,
          case when m.state <> 'in' then 'infinity' when c.from_start then '-infinity' else m.joined_at end
        )
      )`,
    // A shown mark may be missing: it was cleared when receipts were turned off.
    'read messages after the marks of who read them': await sql`
      select m.id from messages m
      where m.read and not exists (
        select from conversation_views v join conversation_members c using (conversation_id, member_id)
        where v.conversation_id = m.conversation_id and v.member_id = m.recipient_id
          and (m.created_at, m.id) <= (v.mark_at, v.mark_id)
          and (c.read_at is null or (m.created_at, m.id) <= (c.read_at, c.read_id))
      )`,
    'shown marks of members without receipts, or after their own': await sql`
      select c.conversation_id, c.member_id
      from conversation_members c join conversation_views v using (conversation_id, member_id)
      join profiles p on p.id = c.member_id
      where c.read_at is not null and (
        (v.mark_at is null or (c.read_at, c.read_id) > (v.mark_at, v.mark_id))
        or not p.read_receipts and not exists (
          select from private.jobs j where j.kind = 'receipts' and j.subject_id = c.member_id)
      )`,
    'messages whose recipient is not the other participant': await sql`
      select m.id from messages m where m.recipient_id is distinct from private.other_participant(m.conversation_id, m.sender_id)`,
    'requests to public members': await sql`
      select from follow_requests r join profiles p on p.id = r.target_id where not p.is_private`,
    'notifications of removed rows': await sql`
      select n.id from notifications n
      where (n.type = 'like' and not exists (select from likes where post_id = n.post_id and user_id = n.actor_id))
        or (n.type = 'follow'
          and not exists (select from follows where follower_id = n.actor_id and following_id = n.user_id))
        or (n.about = 'follow_request'
          and not exists (select from follow_requests where requester_id = n.actor_id and target_id = n.user_id))
        or (n.about = 'follow_accepted'
          and not exists (select from follows where follower_id = n.user_id and following_id = n.actor_id))
        or (n.type = 'other' and n.about is null)`,
  }
  return Object.fromEntries(Object.entries(rowsByProblem).filter(([, rows]) => rows.length > 0))
}
