import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { addObjects, photoOf } from '#tests/supabase/objects'
import { type Community, openOwnCommunity } from '#tests/supabase/schema/support/community'
import { makeGroup, putInto } from '#tests/supabase/schema/support/groups'
import {
  all,
  type Questions,
  questionsFor,
  restoreFormer,
  SEARCH_PATH,
} from '#tests/supabase/schema/support/surfaces'
import {
  ATTEMPTS,
  type GroupReader,
  mayFind,
  OF_GROUPS,
  OF_POSTS,
  OF_STORIES,
  OWN_ROWS,
  READERS,
  type Reader,
  SHOW_NONE,
  type State,
} from './surfaces'

/**
 * Tries a statement and takes it back. False if a policy, a function of ours or a foreign key says that there is no such row; any other
 * error is a mistake of the list.
 */
const ATTEMPT = `
create function pg_temp.try(statement text) returns boolean language plpgsql as $$
declare
  changed integer;
begin
  execute statement;
  get diagnostics changed = row_count;
  raise exception using errcode = 'PT299', message = changed;
exception
  when sqlstate 'PT299' then return sqlerrm <> '0';
  when insufficient_privilege or sqlstate 'PT403' or sqlstate 'PT404' then return false;
end
$$;
create function pg_temp.join_channel(post uuid) returns setof bigint language plpgsql as $$
begin
  perform set_config('realtime.topic', 'post:' || post, true);
  return query select 1::bigint from realtime.messages limit 1;
end
$$;
insert into realtime.messages (topic, extension) values ('post', 'broadcast')`

let community: Community
let ids: Record<Reader | 'fan' | 'post' | 'comment' | 'story', string>
/** What shows that a post or story was found. */
let marks: Record<'post' | 'story', RegExp>
let questions: Questions

beforeAll(async () => {
  const opened = await openOwnCommunity('author', 'follower', 'stranger', 'blocked', 'fan')
  const { author, follower, stranger, blocked, fan } = opened
  community = opened.community
  const { as, sql } = community
  ids = {
    author,
    follower,
    stranger,
    blocked,
    fan,
    post: randomUUID(),
    comment: randomUUID(),
    story: randomUUID(),
  }
  const { post, comment, story } = ids
  await restoreFormer(community)
  await community.pg.exec(ATTEMPT)
  await as(follower)`insert into follows (follower_id, following_id) values (${follower}, ${author})`
  await as(stranger)`insert into hashtag_follows (follower_id, tag) values (${stranger}, 'fog')`

  const keys = await addObjects(sql, author)
  const [media, poster] = await addObjects(sql, author)
  await as(
    author,
  )`select create_post(${post}, 'At the harbour in #fogbound #fog, with @follower, @stranger and @blocked', 'Berlin',
    ${JSON.stringify([photoOf(keys)])}::jsonb)`
  await as(
    author,
  )`insert into stories (id, user_id, media_type, media_path, poster_path, media_width, media_height, thumbhash)
    values (${story}, ${author}, 'image', ${media}, ${poster}, 4, 3, 'AAAA')`
  await as(fan)`insert into likes (post_id, user_id) values (${post}, ${fan})`
  await as(
    fan,
  )`insert into comments (id, post_id, user_id, content) values (${comment}, ${post}, ${fan}, 'Lovely')`
  await as(fan)`insert into comment_likes (comment_id, user_id) values (${comment}, ${fan})`
  await as(fan)`insert into story_views (story_id, viewer_id) values (${story}, ${fan})`
  for (const reader of READERS) {
    const me = ids[reader]
    await as(me)`insert into saved_posts (post_id, user_id) values (${post}, ${me})`
    for (const other of reader === 'author' ? [fan] : [fan, author])
      await as(other)`insert into conversations (participant_1, participant_2) values (${other}, ${me})`
    await as(fan)`insert into messages (conversation_id, sender_id, content, shared_post_id, shared_story_id)
      select c.id, ${fan}, '', card.post, card.story
      from conversations c, (values (${post}::uuid, null::uuid), (null, ${story})) as card (post, story) where ${me} in (participant_1, participant_2)`
  }
  await as(author)`select block_members(array[${blocked}::uuid])`
  // A block takes these with it; those of before older blocks are still there.
  await sql`insert into saved_posts (post_id, user_id) values (${post}, ${blocked})`

  marks = {
    post: new RegExp(
      [post, comment, 'harbour', 'Lovely', 'fogbound', '"(fog|berlin)": ?1', 'removed\\.', ...keys].join('|'),
    ),
    story: new RegExp([story, media, poster].join('|')),
  }
  const { members } = await questionsFor(community)
  // Tables whose former shape has the same name are asked with their schema.
  questions = Object.fromEntries(
    Object.entries(members).map(([name, question]) => [name.replace(' public.', ' '), question]),
  )
  await sql(SEARCH_PATH)
})

type Kind = keyof typeof marks

/** Asks all questions as a reader. Returns the names of those that find the post, and the names of those that find the story. */
async function findings(reader: Reader, asked: Questions): Promise<Record<Kind, string[]>> {
  const about = new RegExp([ids.post, ids.comment, ids.story].join('|'), 'g')
  const answers = (await community.as(ids[reader], all(asked))).map(({ question, rows }) => ({
    name: String(question),
    // A notification always has the id of its post, and the text only for readers of the post.
    shown: JSON.stringify(rows).replaceAll(question === 'notification_groups()' ? about : /^$/g, ''),
  }))
  const by = (mark: RegExp) =>
    answers
      .filter(({ shown }) => mark.test(shown))
      .map(({ name }) => name)
      .toSorted()
  return { post: by(marks.post), story: by(marks.story) }
}

/** The attempts that a reader succeeds in. */
async function successes(reader: Reader): Promise<string[]> {
  const [chat] = await community.sql`select id from conversations
    where ${ids.fan} in (participant_1, participant_2) and ${ids[reader]} in (participant_1, participant_2)`
  const places: Record<string, unknown> = { ...ids, me: ids[reader], chat: chat?.id }
  const tries = Object.entries(ATTEMPTS).map(([name, { sql }]) => {
    const statement = sql.replaceAll(/\{(\w+)\}/g, (_, place: string) => `'${places[place]}'`)
    return `select '${name}' as name, pg_temp.try($try$${statement}$try$) as done`
  })
  return (await community.as(ids[reader], tries.join(' union all ')))
    .filter(({ done }) => done)
    .map(({ name }) => String(name))
    .toSorted()
}

const SURFACES = { post: OF_POSTS, story: OF_STORIES }

async function expectOnly(state: State): Promise<void> {
  const listed = Object.fromEntries(
    [...Object.keys(OF_POSTS), ...Object.keys(OF_STORIES)].map((name) => [name, questions[name] ?? '']),
  )
  for (const reader of READERS) {
    const names = (surfaces: typeof OF_POSTS) =>
      Object.entries(surfaces)
        .filter(([, surface]) => mayFind(surface, reader, state))
        .map(([name]) => name)
        .toSorted()
    expect
      .soft({ reader, ...(await findings(reader, listed)) })
      .toEqual({ reader, post: names(OF_POSTS), story: names(OF_STORIES) })
    expect.soft({ reader, attempts: await successes(reader) }).toEqual({ reader, attempts: names(ATTEMPTS) })
  }
}

/** What the list of notifications and its badge show a reader: how many are unread, by group, and whether they have a text. */
async function noticesOf(reader: Reader) {
  const groups = await community.as(ids[reader])`
    select g.type, g.post_id is not null as about_post, g.content is not null as has_text,
      (select count(*)::integer from notifications n where n.group_key = g.group_key and not n.read) as unread
    from notification_groups() g order by 1, 2`
  const [badge] = await community.as(ids[reader])`select unread_notifications() as unread`
  return { groups, badge: badge?.unread }
}

/** The badge counts what the list shows. A post that its reader may not see takes nothing from either but its text. */
async function expectNotices(state: State): Promise<void> {
  const ABOUT_POST = {
    author: ['comment', 'like'],
    follower: ['mention'],
    stranger: ['mention'],
    blocked: [],
  }
  for (const reader of READERS) {
    const { groups, badge } = await noticesOf(reader)
    const about = groups.filter(({ about_post }) => about_post)
    expect
      .soft({ reader, badge })
      .toEqual({ reader, badge: groups.reduce((sum, { unread }) => sum + Number(unread), 0) })
    expect.soft({ reader, about: about.map(({ type, has_text }) => [type, has_text]) }).toEqual({
      reader,
      about: state.isRemoved ? [] : ABOUT_POST[reader].map((type) => [type, mayFind({}, reader, state)]),
    })
  }
}

test('every question that finds a post or story is a surface', async () => {
  const found = { post: new Set<string>(), story: new Set<string>() }
  for (const reader of READERS) {
    const { post, story } = await findings(reader, questions)
    for (const name of post) found.post.add(name)
    for (const name of story) found.story.add(name)
  }
  for (const kind of ['post', 'story'] as const)
    expect
      .soft([...found[kind]].filter((name) => !OWN_ROWS.includes(name)).toSorted(), kind)
      .toEqual(Object.keys(SURFACES[kind]).toSorted())
})

test('every function of the API that reads posts, stories or what refers to them is a surface, or shows none', async () => {
  const [tables] = await community.sql(`
    select string_agg(distinct c.relname, '|') as names from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and (c.relname in ('posts', 'stories') or a.attname ~ '(post|story)_id$')`)
  const reading = new RegExp(`\\b(public|private)\\.(${tables?.names})\\b`)
  const functions = await community.sql(`
    select n.nspname || '.' || p.proname as name, string_agg(p.prosrc, ';') as body, bool_or(has_function_privilege('authenticated', p.oid, 'execute')) as is_callable
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'private') group by 1`)
  const bodies = new Map(functions.map(({ name, body }) => [String(name), String(body)]))
  const reads = (name: string, asked: Set<string>): boolean => {
    const body = bodies.get(name)
    if (body === undefined || asked.has(name)) return false
    asked.add(name)
    return (
      reading.test(body) ||
      [...body.matchAll(/\b(?:public|private)\.\w+(?=\()/g)].some(([called]) => reads(called, asked))
    )
  }
  const found = functions
    .map(({ name, is_callable }) => ({ name: String(name), is_callable }))
    .filter(({ name, is_callable }) => is_callable && name.startsWith('public.') && reads(name, new Set()))
    .map(({ name }) => name.replace('public.', ''))
  const surfaces = [...Object.keys(OF_POSTS), ...Object.keys(OF_STORIES)].map((name) =>
    name.replace('()', ''),
  )
  expect(found.filter((name) => !surfaces.includes(name)).toSorted()).toEqual(SHOW_NONE.toSorted())
})

describe.each([
  [false, ['visible', 'warned', 'hidden', 'archived']],
  [true, ['visible', 'hidden']],
] as const)('SET-04 SAFE-01 with a private account: %s,', (isPrivate, states) => {
  test.each(states)('what is %s', async (state) => {
    const { author, post, story } = ids
    await community.as(author)`update profiles set is_private = ${isPrivate} where id = ${author}`
    await community.sql`select private.set_item_state('public.posts', array[${post}::uuid], ${state})`
    await community.sql`select private.set_item_state('public.stories', array[${story}::uuid], ${state === 'archived' ? 'hidden' : state})`
    await expectOnly({ isPrivate, state })
    await expectNotices({ isPrivate, state })
  })
})

test('FEED-11 STORY-09 a removed post or story', async () => {
  await community.sql`select private.hold_items('public.posts', array[${ids.post}::uuid])`
  await community.sql`select private.hold_items('public.stories', array[${ids.story}::uuid])`
  await expectOnly({ isPrivate: true, state: 'visible', isRemoved: true })
  await expectNotices({ isPrivate: true, state: 'visible', isRemoved: true })
})

test('SET-04 a group and its messages, for its members and former members', async () => {
  const { as, sql } = community
  const people: Record<GroupReader, string> = {
    owner: ids.author,
    in: ids.follower,
    invited: ids.stranger,
    left: ids.fan,
    removed: ids.blocked,
    outsider: await community.join('outsider'),
  }
  await sql('reset search_path')
  const group = await makeGroup(sql, people.owner, { name: 'Lighthouse keepers' })
  for (const person of ['in', 'left', 'removed'] as const) await putInto(sql, group, people[person], 'in')
  await putInto(sql, group, people.invited, 'invited')
  const keys = await addObjects(sql, people.owner)
  const [photo] = await as(people.owner)`insert into message_media
    (sender_id, conversation_id, media_path, poster_path) values (${people.owner}, ${group}, ${keys[0]}, ${keys[1]}) returning id`
  const [message] = await as(people.owner)`insert into messages
    (conversation_id, sender_id, content, media_id, thumbhash, image_width, image_height)
    values (${group}, ${people.owner}, 'Harbour at nine', ${photo?.id}, 'AAAA', 4, 3) returning id`
  for (const person of ['in', 'removed'] as const)
    await as(people[person])`insert into message_reactions (message_id, member_id, emoji)
      values (${message?.id}, ${people[person]}, '👍')`
  for (const person of ['left', 'removed'] as const) {
    await as(people[person])`insert into messages (conversation_id, sender_id, content)
      values (${group}, ${people[person]}, 'Goodbye')`
    await putInto(sql, group, people[person], person)
  }
  const found = {
    group: new RegExp(`Lighthouse|${group}`),
    message: new RegExp([message?.id, photo?.id, 'Harbour at nine', keys[0], keys[1]].join('|')),
  }
  const { members } = await questionsFor(community)
  await sql(SEARCH_PATH)
  for (const person of Object.keys(people) as GroupReader[]) {
    const answers = await as(people[person], all(members))
    for (const kind of ['group', 'message'] as const)
      expect
        .soft({
          person,
          [kind]: [
            ...new Set(
              answers
                .filter(({ rows }) => found[kind].test(JSON.stringify(rows)))
                .map(({ question }) => String(question).replace(' public.', ' ')),
            ),
          ].toSorted(),
        })
        .toEqual({
          person,
          [kind]: Object.keys(OF_GROUPS)
            .filter((name) => OF_GROUPS[name]?.[kind]?.includes(person))
            .toSorted(),
        })
  }
})
