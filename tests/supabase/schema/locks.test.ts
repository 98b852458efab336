import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { readMigrations, readReplaced } from '#/backend/database/migrations'
import { gate } from '#tests/gate'
import type { Statement } from '#tests/statement'
import {
  type Action,
  ask,
  block,
  comment,
  follow,
  leave,
  like,
  publish,
  remove,
  setPrivate,
  share,
  unfollow,
  unlike,
  view,
  withdraw,
} from './support/actions'
import { refusal } from './support/community'
import { makeGroup, putInto } from './support/groups'
import { findInconsistencies } from './support/inconsistencies'
import { MIGRATIONS } from './support/migrated-database'
import { hold, openSessions, type Sessions, type Tx } from './support/sessions'

let sessions: Sessions
beforeAll(async () => {
  sessions = await openSessions()
})
afterAll(() => sessions.close())

/** For helpers that take the statement of either engine. */
const owner = ((parts, ...values) => sessions.sql(parts, ...(values as never[]))) as Statement

const holdAs = (member: string, work: Action) => hold((held) => sessions.as(member, held), work)
const lock = (work: Action) => hold((held) => sessions.sql.begin(held), work)

/** Does it without waiting for anybody. */
const atOnce = (member: string, work: Action) =>
  sessions.as(member, async (tx) => {
    await tx`set local lock_timeout = '10s'`
    await work(tx)
  })

const save = (me: string, post: string) => (tx: Tx) =>
  tx`insert into saved_posts (user_id, post_id) values (${me}, ${post})`
const likeComment = (me: string, id: string) => (tx: Tx) =>
  tx`insert into comment_likes (user_id, comment_id) values (${me}, ${id})`

type Write = ReturnType<typeof like>

/**
 * Starts a slow statement, which has found and written its row: its answer takes until `release`, as PostgREST sends one that embeds
 * filtered rows.
 */
async function stall(member: string, write: Write): Promise<{ release: () => Promise<void> }> {
  const gate = await lock((tx) => tx`select pg_advisory_xact_lock(1)`)
  const slow = (tx: Tx) =>
    tx`with written as (${write(tx)} returning 1) select pg_advisory_xact_lock_shared(1) from written`
  const outcome = sessions.as(member, slow).then(
    () => null,
    (error: unknown) => ({ error }),
  )
  await sessions.waitUntilBlocked(1)
  return {
    async release() {
      await gate.commit()
      const failed = await outcome
      if (failed !== null) throw failed.error
    },
  }
}

/** Creates a member with a post and a story. */
async function joinWith(name: string, isPrivate = false) {
  const [id, post, story] = [await sessions.join(name), randomUUID(), randomUUID()]
  await sessions.as(id, publish(post, id))
  await sessions.as(id, share(story, id))
  if (isPrivate) await sessions.as(id, setPrivate(id, true))
  return { id, post, story }
}

/** A conversation that both have accepted, with a message of `ada` that `ben` has not read. */
async function pair(name: string) {
  const [ada, ben] = [await sessions.join(`${name}.a`), await sessions.join(`${name}.b`)]
  const [conversation, message] = [randomUUID(), randomUUID()]
  await sessions.sql`insert into conversations (id, participant_1, participant_2) values (${conversation}, ${ada}, ${ben})`
  await sessions.sql`insert into messages (id, conversation_id, sender_id, content) values (${message}, ${conversation}, ${ada}, 'look')`
  await sessions.as(
    ben,
    (tx) => tx`update conversation_views set folder = 'inbox' where conversation_id = ${conversation}`,
  )
  return { ada, ben, conversation, message }
}
/** A pair, and a message of `ben`. */
type Chat = Awaited<ReturnType<typeof pair>> & { answer: string }
const stored = (message: string) =>
  sessions.sql`select content, read, deleted_at is not null as is_unsent from messages where id = ${message}`
const markRead = (message: string) => (tx: Tx) => tx`update messages set read = true where id = ${message}`
const unsendMessage = (message: string) => (tx: Tx) => tx`select unsend_message(${message})`
const editMessage = (message: string) => (tx: Tx) => tx`select edit_message(${message}, 'hey')`

describe('a slow statement', () => {
  test('SAFE-07 FEED-08 holds nothing that others want while its answer is made', async () => {
    const [ada, eve, ben] = [
      await joinWith('s.ada'),
      await sessions.join('s.eve'),
      await sessions.join('s.ben'),
    ]
    for (const slow of [
      like(eve, ada.post),
      comment(eve, ada.post),
      follow(eve, ada.id),
      view(eve, ada.story),
    ]) {
      const stalled = await stall(eve, slow)
      await atOnce(ben, like(ben, ada.post))
      await atOnce(ben, comment(ben, ada.post))
      await atOnce(ben, follow(ben, ada.id))
      await atOnce(ben, unlike(ben))
      await atOnce(ben, unfollow(ben))
      await atOnce(ada.id, setPrivate(ada.id, true))
      await atOnce(ada.id, setPrivate(ada.id, false))
      await atOnce(ada.id, publish(randomUUID(), ada.id))
      await stalled.release()
    }
    expect(await sessions.sql`select like_count, comment_count from posts where id = ${ada.post}`).toEqual([
      { like_count: 1, comment_count: 5 },
    ])
  })

  test.each([
    ['likes', 'post', like, '42501'],
    ['comments', 'post', comment, '42501'],
    ['saved_posts', 'post', save, '42501'],
    ['story_views', 'story', view, '42501'],
    ['follows', 'id', follow, 'PT404'],
    ['follow_requests', 'id', ask, 'PT404'],
  ] as const)(
    'SAFE-01 that began before a block in %s is refused after it, and does not hold it up',
    async (table, what, slow, code) => {
      const eve = await sessions.join(`b.${table}.eve`)
      const ada = await joinWith(`b.${table}.ada`, table === 'follow_requests')
      const stalled = await stall(eve, slow(eve, ada[what]))
      await atOnce(ada.id, block(eve))
      await expect(stalled.release()).rejects.toEqual(refusal(code))
      expect(
        await sessions.sql`select from ${sessions.sql(table)} t where strpos(t::text, ${eve}) > 0`,
      ).toEqual([])
    },
  )

  test.each(['comment', 'post'] as const)(
    'FEED-16 SAFE-01 that likes a comment is refused after a block by the author of the %s',
    async (whose) => {
      const [eve, ben] = [await sessions.join(`c.${whose}.eve`), await sessions.join(`c.${whose}.ben`)]
      const ada = await joinWith(`c.${whose}.ada`)
      await sessions.as(ben, comment(ben, ada.post))
      const [row] = await sessions.sql`select id from comments where post_id = ${ada.post}`
      const stalled = await stall(eve, likeComment(eve, String(row?.id)))
      await atOnce(whose === 'post' ? ada.id : ben, block(eve))
      await expect(stalled.release()).rejects.toEqual(refusal('42501'))
    },
  )

  test.each([
    [
      'message',
      ({ ben, conversation }: Chat) =>
        (tx: Tx) =>
          tx`insert into messages (conversation_id, sender_id, content) values (${conversation}, ${ben}, 'late')`,
    ],
    [
      'edit',
      ({ answer }: Chat) =>
        (tx: Tx) =>
          tx`update messages set content = 'late' where id = ${answer}`,
    ],
    [
      'reaction',
      ({ ben, message }: Chat) =>
        (tx: Tx) =>
          tx`insert into message_reactions (message_id, member_id, emoji) values (${message}, ${ben}, '👍')`,
    ],
    [
      'changed reaction',
      ({ ben, answer }: Chat) =>
        (tx: Tx) =>
          tx`update message_reactions set emoji = '👍' where message_id = ${answer} and member_id = ${ben}`,
    ],
  ])(
    'SAFE-01 that began before a block with a new %s is refused after it, and does not hold it up',
    async (kind, write) => {
      const chat = { ...(await pair(`p.${kind.replace(' ', '.')}`)), answer: randomUUID() }
      const { ada, ben, answer, conversation } = chat
      await sessions.as(ben, async (tx) => {
        await tx`insert into messages (id, conversation_id, sender_id, content) values (${answer}, ${conversation}, ${ben}, 'hm')`
        await tx`insert into message_reactions (message_id, member_id, emoji) values (${answer}, ${ben}, '😂')`
      })
      const written = () =>
        sessions.sql`
          select m.content, r.emoji from messages m left join message_reactions r on r.message_id = m.id
          where m.conversation_id = ${conversation} order by m.content`
      const before = await written()
      const stalled = await stall(ben, write(chat))
      await atOnce(ada, block(ben))
      await expect(stalled.release()).rejects.toEqual(refusal('PT403'))
      expect(await written()).toEqual(before)
    },
  )

  test('SAFE-01 MSG-13 that began before a block does not bring a request back into the list', async () => {
    const [ada, eve] = [await sessions.join('q.late.ada'), await sessions.join('q.late.eve')]
    const conversation = randomUUID()
    await sessions.as(
      eve,
      (tx) =>
        tx`insert into conversations (id, participant_1, participant_2) values (${conversation}, ${eve}, ${ada})`,
    )
    const send = (tx: Tx) =>
      tx`insert into messages (conversation_id, sender_id, content) values (${conversation}, ${eve}, 'hi')`
    await sessions.as(eve, send)
    const stalled = await stall(eve, send)
    await atOnce(ada, block(eve))
    await expect(stalled.release()).rejects.toEqual(refusal('PT403'))
    expect(
      await sessions.sql`select folder, unread from conversation_views where conversation_id = ${conversation} and member_id = ${ada}`,
    ).toEqual([{ folder: 'none', unread: false }])
  })

  test('MSG-14 that edits a message of a group is refused after the removal of its sender', async () => {
    const [ada, ben] = [await sessions.join('ge.ada'), await sessions.join('ge.ben')]
    const [group, id] = [await makeGroup(owner, ada), randomUUID()]
    await putInto(owner, group, ben, 'in')
    await sessions.sql`insert into messages (id, conversation_id, sender_id, content) values (${id}, ${group}, ${ben}, 'before')`
    const stalled = await stall(ben, (tx) => tx`update messages set content = 'late' where id = ${id}`)
    await putInto(owner, group, ben, 'removed')
    await expect(stalled.release()).rejects.toEqual(refusal('PT403'))
    expect(await sessions.sql`select content from messages where id = ${id}`).toEqual([{ content: 'before' }])
  })

  test('SET-04 a follow that found its target public is refused once the target is private', async () => {
    const [ada, ben] = [await sessions.join('f.ada'), await sessions.join('f.ben')]
    const stalled = await stall(ben, follow(ben, ada))
    await atOnce(ada, setPrivate(ada, true))
    await expect(stalled.release()).rejects.toEqual(refusal('PT403'))
    expect(await sessions.sql`select from follows where following_id = ${ada}`).toEqual([])
  })

  test('SAFE-07 STORY-01 in the name of another holds nothing of theirs, however long their text takes to check', async () => {
    const [ada, eve] = [await sessions.join('forged.ada'), await sessions.join('forged.eve')]
    await lock((tx) => tx`select from profiles where id = ${ada} for no key update`)
    for (const forged of [publish(randomUUID(), ada), share(randomUUID(), ada)])
      await expect(atOnce(eve, forged)).rejects.toEqual(refusal('42501'))
  })

  test('SET-04 a request that found its target private is refused once the target is public', async () => {
    const [shy, ben] = [await sessions.join('r.shy'), await sessions.join('r.ben')]
    await sessions.as(shy, setPrivate(shy, true))
    const stalled = await stall(ben, ask(ben, shy))
    await atOnce(shy, setPrivate(shy, false))
    await expect(stalled.release()).rejects.toEqual(refusal('PT409'))
    expect(await sessions.sql`select from follow_requests where target_id = ${shy}`).toEqual([])
  })

  test.each([
    ['posts', publish],
    ['stories', share],
  ] as const)(
    'SET-04 that writes %s while its author goes private writes for followers',
    async (table, slow) => {
      const [ada, id] = [await sessions.join(`a.${table}.ada`), randomUUID()]
      const stalled = await stall(ada, slow(id, ada))
      const switching = sessions.as(ada, setPrivate(ada, true))
      await sessions.waitUntilBlocked(2)
      await stalled.release()
      await switching
      expect(await sessions.sql`select audience from ${sessions.sql(table)} where id = ${id}`).toEqual([
        { audience: 'followers' },
      ])
    },
  )
})

describe('a follow and a change to private', () => {
  test('SET-04 a follow that is there first stays, and the change waits for it', async () => {
    const [ada, ben] = [await sessions.join('o.ada'), await sessions.join('o.ben')]
    const following = await holdAs(ben, follow(ben, ada))
    const switching = sessions.as(ada, setPrivate(ada, true))
    await sessions.waitUntilBlocked(1)
    await following.commit()
    await switching
    expect(await sessions.sql`select is_private, follower_count from profiles where id = ${ada}`).toEqual([
      { is_private: true, follower_count: 1 },
    ])
  })

  test('SET-04 also if it did not get the row of its target to count', async () => {
    const [ada, ben] = [await sessions.join('m.ada'), await sessions.join('m.ben')]
    const counting = await lock((tx) => tx`select from profiles where id = ${ada} for no key update`)
    const following = await holdAs(ben, follow(ben, ada))
    await counting.commit()
    const switching = sessions.as(ada, setPrivate(ada, true))
    await sessions.waitUntilBlocked(1)
    await following.commit()
    await switching
    expect(
      await sessions.sql`select is_private, shown_follower_count(p) as followers from profiles p where id = ${ada}`,
    ).toEqual([{ is_private: true, followers: 1 }])
  })
})

describe('a block that is under way', () => {
  test.each([
    ['likes', 'post', like, '42501'],
    ['comments', 'post', comment, '42501'],
    ['story_views', 'story', view, '42501'],
    ['follows', 'id', follow, 'PT404'],
    ['follow_requests', 'id', ask, 'PT404'],
  ] as const)('SAFE-01 refuses new %s without making them wait', async (table, what, act, code) => {
    const eve = await sessions.join(`u.${table}.eve`)
    const ada = await joinWith(`u.${table}.ada`, table === 'follow_requests')
    const blocking = await holdAs(ada.id, block(eve))
    await expect(atOnce(eve, act(eve, ada[what]))).rejects.toEqual(refusal(code))
    await blocking.commit()
  })

  test('SAFE-01 leaves out tags and notifications, and allows the post and comment that would cause them', async () => {
    const [ada, eve, ben] = [
      await sessions.join('n.ada'),
      await sessions.join('n.eve'),
      await joinWith('n.ben'),
    ]
    const blocking = await holdAs(ada, block(eve))
    const post = randomUUID()
    await atOnce(eve, publish(post, eve, 'With @n.ada and @n.ben'))
    await atOnce(
      eve,
      (tx) => tx`
      insert into comments (user_id, post_id, content) values (${eve}, ${ben.post}, '@n.ada')`,
    )
    await blocking.commit()
    expect(await sessions.sql`select tagged_user_id from post_tags where post_id = ${post}`).toEqual([
      { tagged_user_id: ben.id },
    ])
    expect(await sessions.sql`select from notifications where user_id = ${ada}`).toEqual([])
    expect(
      await sessions.sql`select type from notifications where user_id = ${ben.id} order by type`,
    ).toEqual([{ type: 'comment' }, { type: 'mention' }])
  })

  test('SAFE-01 does not concern others, in either direction', async () => {
    const [ada, eve, ben] = [await joinWith('t.ada'), await joinWith('t.eve'), await sessions.join('t.ben')]
    const blocking = await holdAs(ada.id, block(eve.id))
    for (const { id, post, story } of [ada, eve]) {
      await atOnce(ben, like(ben, post))
      await atOnce(ben, comment(ben, post))
      await atOnce(ben, follow(ben, id))
      await atOnce(ben, view(ben, story))
      await atOnce(ben, block(id))
    }
    await blocking.commit()
  })

  test('SAFE-01 two members who block each other at once both do', async () => {
    const [ada, ben] = [await sessions.join('w.ada'), await sessions.join('w.ben')]
    const first = await holdAs(ada, block(ben))
    const second = sessions.as(ben, block(ada))
    await sessions.waitUntilBlocked(1)
    await first.commit()
    await second
    expect(await sessions.sql`select from blocks where blocker_id in (${ada}, ${ben})`).toHaveLength(2)
  })

  test('SAFE-01 ends with an acceptance of the other: no follow is left', async () => {
    const [shy, ben] = [await sessions.join('q.shy'), await sessions.join('q.ben')]
    await sessions.as(shy, setPrivate(shy, true))
    await sessions.as(ben, ask(ben, shy))
    const accepting = await holdAs(shy, (tx) => tx`select accept_follow_request(${ben})`)
    const blocking = sessions.as(ben, block(shy))
    await sessions.waitUntilBlocked(1)
    await accepting.commit()
    await blocking
    expect(await sessions.sql`select from follows where following_id = ${shy}`).toEqual([])
    expect(await sessions.sql`select from notifications where user_id = ${ben}`).toEqual([])
  })
})

describe('rows that somebody else holds', () => {
  test('SAFE-01 do not hold up a block: it hides at once, and the cleanup removes the rest', async () => {
    const [ada, ben] = [await joinWith('h.ada'), await sessions.join('h.ben')]
    await sessions.as(ben, like(ben, ada.post))
    await sessions.as(ben, follow(ben, ada.id))
    const unliking = await holdAs(ben, unlike(ben))
    await sessions.as(ada.id, block(ben))
    expect(await sessions.as(ben, (tx) => tx`select from posts where id = ${ada.post}`)).toEqual([])
    expect(await sessions.sql`select from follows where follower_id = ${ben}`).toHaveLength(1)
    const finish = async () => (await sessions.sql`select private.finish_blocks(10) as went_on`)[0]?.went_on
    // What is free, and nothing the second time.
    expect([await finish(), await finish()]).toEqual([1, 0])
    await unliking.commit()
    expect([await finish(), await finish()]).toEqual([1, 0])
    expect(await sessions.sql`select from private.unfinished_blocks`).toEqual([])
    expect(await sessions.sql`select from follows where follower_id = ${ben}`).toEqual([])
    expect(await sessions.sql`select follower_count from profiles where id = ${ada.id}`).toEqual([
      { follower_count: 0 },
    ])
  })

  test('SAFE-01 posts that mention a member, one after the other, do not keep that member from blocking their author', async () => {
    const [ada, eve] = [await sessions.join('mention.ada'), await sessions.join('mention.eve')]
    const post = randomUUID()
    const publishing = await holdAs(eve, publish(post, eve, 'With @mention.ada'))
    await sessions.as(ada, block(eve))
    const tags = () => sessions.sql`select from post_tags where post_id = ${post}`
    const notifications = () => sessions.sql`select from notifications where user_id = ${ada}`
    const finish = async () => (await sessions.sql`select private.finish_blocks(10) as went_on`)[0]?.went_on
    expect(await finish()).toBe(0)
    await publishing.commit()
    expect([await tags(), await notifications()]).toEqual([[{}], [{}]])
    expect(await sessions.as(ada, (tx) => tx`select from post_tags, notifications`)).toEqual([])
    expect([await finish(), await finish()]).toEqual([1, 0])
    expect([await tags(), await notifications()]).toEqual([[], []])
    expect(await sessions.sql`select from private.unfinished_blocks`).toEqual([])
  })

  test.each(['username', 'avatar_path'] as const)(
    'SAFE-01 PROF-13 a new %s that takes long keeps nobody from blocking, reporting or leaving that member',
    async (column) => {
      const [ada, eve] = [await joinWith(`x.${column}`), await joinWith(`y.${column}`)]
      await sessions.as(ada.id, follow(ada.id, eve.id))
      await sessions.as(eve.id, follow(eve.id, ada.id))
      const changed = column === 'username' ? 'x.changed' : `${eve.id}/${randomUUID()}.webp`
      await lock(async (tx) => {
        // This database has no Storage, so no object was uploaded.
        await tx`set local session_replication_role = replica`
        await tx`update profiles set ${tx({ [column]: changed })} where id = ${eve.id}`
      })
      const both = [ada.id, eve.id]
      for (const done of [
        unfollow(ada.id),
        (tx: Tx) => tx`delete from follows where following_id = ${ada.id}`,
        (tx: Tx) =>
          tx`insert into reports (reporter_id, member_id, reason) values (${ada.id}, ${eve.id}, 'spam')`,
        block(eve.id),
      ])
        await atOnce(ada.id, done)
      expect(await sessions.sql`select from follows where follower_id = any (${both})`).toEqual([])
    },
  )

  test('SAFE-01 what a withdrawn block left is forgotten', async () => {
    const [ada, ben] = [await joinWith('g.ada'), await sessions.join('g.ben')]
    await sessions.as(ben, follow(ben, ada.id))
    const held = await lock((tx) => tx`select from follows where follower_id = ${ben} for update`)
    await sessions.as(ada.id, block(ben))
    await held.commit()
    await sessions.as(ada.id, (tx) => tx`delete from blocks where blocked_id = ${ben}`)
    expect(await sessions.sql`select private.cleanup(10) > 0 as cleaned`).toEqual([{ cleaned: true }])
    expect(await sessions.sql`select from private.unfinished_blocks`).toEqual([])
    expect(await sessions.sql`select from follows where follower_id = ${ben}`).toHaveLength(1)
  })

  test('FEED-11 do not hold up the deletion of a post: it disappears at once, and is cleaned up when they are free', async () => {
    const [ada, ben] = [await joinWith('d.ada'), await sessions.join('d.ben')]
    await sessions.as(ben, like(ben, ada.post))
    const unliking = await stall(ben, unlike(ben))
    await atOnce(ada.id, remove(ada.post))
    for (const member of [ada.id, ben])
      expect(await sessions.as(member, (tx) => tx`select from posts where id = ${ada.post}`)).toEqual([])
    expect(await sessions.sql`select post_count from profiles where id = ${ada.id}`).toEqual([
      { post_count: 0 },
    ])
    await sessions.workOff()
    expect(await sessions.sql`select from posts where id = ${ada.post}`).toHaveLength(1)
    await unliking.release()
    await sessions.sql`update private.jobs set not_before = now()`
    await sessions.workOff()
    expect(await sessions.sql`select from posts where id = ${ada.post}`).toEqual([])
    expect(await sessions.sql`select from private.jobs`).toEqual([])
  })

  test('FEED-11 do not hold up the deletion of a comment: members whom it mentions mark it as read for as long as they like', async () => {
    const [ada, ben] = [await joinWith('nm.ada'), await sessions.join('nm.ben')]
    const id = randomUUID()
    await sessions.as(
      ben,
      (tx) =>
        tx`insert into comments (id, user_id, post_id, content) values (${id}, ${ben}, ${ada.post}, 'hm')`,
    )
    const reading = await holdAs(
      ada.id,
      (tx) => tx`update notifications set read = true where comment_id = ${id}`,
    )
    const unread = (tx: Tx) => tx`select from notifications where comment_id = ${id}`
    await sessions.as(ben, async (tx) => {
      await tx`set local statement_timeout = '5s'`
      await tx`select delete_comments(array[${id}]::uuid[])`
    })
    expect(await sessions.as(ada.id, unread)).toEqual([])
    await reading.commit()
    expect(await sessions.as(ada.id, unread)).toEqual([])
    await sessions.workOff()
    expect(await sessions.sql`select from notifications where comment_id = ${id}`).toEqual([])
    expect(await sessions.sql`select from comments where id = ${id}`).toEqual([])
  })

  test('SET-03 do not hold up the deletion of an account', async () => {
    const [ada, ben] = [await joinWith('ac.ada'), await sessions.join('ac.ben')]
    await sessions.as(ben, like(ben, ada.post))
    await sessions.as(ben, follow(ben, ada.id))
    const unliking = await stall(ben, unlike(ben))
    await atOnce(ada.id, leave())
    expect(await sessions.sql`select from auth.users where id = ${ada.id}`).toEqual([])
    expect(await sessions.as(ben, (tx) => tx`select from profiles where id = ${ada.id}`)).toEqual([])
    await unliking.release()
    await sessions.workOff()
    expect(await sessions.sql`select from profiles where id = ${ada.id}`).toEqual([])
    expect(await sessions.sql`select following_count from profiles where id = ${ben}`).toEqual([
      { following_count: 0 },
    ])
  })

  test('SET-04 requests of members who are busy are accepted by the cleanup', async () => {
    const [shy, ben, cem] = [
      await sessions.join('k.shy'),
      await sessions.join('k.ben'),
      await sessions.join('k.cem'),
    ]
    await sessions.as(shy, setPrivate(shy, true))
    for (const member of [ben, cem]) await sessions.as(member, ask(member, shy))
    const busy = await lock((tx) => tx`select from profiles where id = ${ben} for update`)
    await sessions.as(shy, setPrivate(shy, false))
    expect(await sessions.sql`select follower_id from follows where following_id = ${shy}`).toEqual([
      { follower_id: cem },
    ])
    await busy.commit()
    expect(await sessions.sql`select private.accept_left_requests(10) as accepted`).toEqual([{ accepted: 1 }])
    expect(await sessions.sql`select private.accept_left_requests(10) as accepted`).toEqual([{ accepted: 0 }])
    expect(await sessions.sql`select follower_count from profiles where id = ${shy}`).toEqual([
      { follower_count: 2 },
    ])
  })

  test('SET-04 very many requests are accepted in batches, during which others ask, follow and like', async () => {
    const [shy, ben] = [await sessions.join('vr.shy'), await sessions.join('vr.ben')]
    await sessions.as(shy, setPrivate(shy, true))
    const fans = await Promise.all(Array.from({ length: 210 }, (_, n) => sessions.join(`vr.f${n}`)))
    await sessions.sql`insert into follow_requests (requester_id, target_id) select unnest(${fans}::uuid[]), ${shy}`
    await atOnce(shy, setPrivate(shy, false))
    const left = () => sessions.sql`select requester_id as id from follow_requests where target_id = ${shy}`
    expect(await left()).toHaveLength(10)
    const batch = await lock((tx) => tx`select private.accept_left_requests(5)`)
    await atOnce(ben, follow(ben, shy))
    for (const fan of fans.slice(0, 5)) await atOnce(fan, follow(fan, ben))
    await batch.commit()
    expect(await left()).toHaveLength(5)
    expect(await sessions.sql`select private.accept_left_requests(10) as went_on`).toEqual([{ went_on: 1 }])
    expect(await left()).toEqual([])
    expect(await sessions.sql`select from private.jobs where kind = 'requests'`).toEqual([])
    expect(await findInconsistencies(sessions)).toEqual({})
  })

  test('SET-04 requests of members whose counters somebody holds are accepted at once', async () => {
    const [shy, ben] = [await sessions.join('k.quiet'), await sessions.join('k.busy')]
    await sessions.as(shy, setPrivate(shy, true))
    await sessions.as(ben, ask(ben, shy))
    const counting = await lock((tx) => tx`select from profiles where id = ${ben} for no key update`)
    await sessions.as(shy, setPrivate(shy, false))
    expect(await sessions.sql`select follower_id from follows where following_id = ${shy}`).toEqual([
      { follower_id: ben },
    ])
    await counting.commit()
  })

  test('SAFE-01 SET-04 a cleanup of what others hold waits once, and the rest is cleaned up later', async () => {
    const me = await sessions.join('w.me')
    const others = await Promise.all(
      Array.from({ length: 16 }, (_, number) => sessions.join(`w.other${number}`)),
    )
    for (const other of others) await sessions.as(other, follow(other, me))
    const cleanUp = () =>
      sessions.sql.begin(async (tx) => {
        await tx`set local statement_timeout = '2s'`
        const [row] = await tx`
          select private.finish_blocks(100) + private.accept_left_requests(100) + private.delete_expired_stories(100) as done`
        return row?.done
      })
    const held = await lock((tx) => tx`select from follows where following_id = ${me} for update`)
    await sessions.as(me, async (tx) => {
      await tx`set local statement_timeout = '3s'`
      await tx`select block_members(${others}::uuid[])`
    })
    expect(await sessions.sql`select from blocks where blocker_id = ${me}`).toHaveLength(16)
    // What is free, and nothing the second time.
    expect([await cleanUp(), await cleanUp()]).toEqual([16, 0])
    await held.commit()
    expect([await cleanUp(), await cleanUp()]).toEqual([16, 0])
    expect(await sessions.sql`select from follows where following_id = ${me}`).toEqual([])
  })

  test('SAFE-01 of very many rows are left to batches, and the block waits for none of them', async () => {
    const [ada, ben] = [await joinWith('vm.ada'), await sessions.join('vm.ben')]
    await sessions.sql`insert into posts (user_id, content) select ${ada.id}, 'one of many' from generate_series(1, 210)`
    await sessions.sql`insert into likes (user_id, post_id) select ${ben}, id from posts where user_id = ${ada.id}`
    const held = await lock((tx) => tx`select from likes where user_id = ${ben} for update`)
    await atOnce(ada.id, block(ben))
    expect(await sessions.as(ada.id, (tx) => tx`select from likes where user_id = ${ben}`)).toEqual([])
    const likes = () => sessions.sql`select from likes where user_id = ${ben}`
    expect(await likes()).toHaveLength(211)
    expect(await sessions.sql`select private.finish_blocks(50) as went_on`).toEqual([{ went_on: 0 }])
    await held.commit()
    const batch = await lock((tx) => tx`select private.finish_blocks(50)`)
    // Others use the same post meanwhile.
    const cem = await sessions.join('vm.cem')
    await atOnce(cem, like(cem, ada.post))
    await atOnce(cem, comment(cem, ada.post))
    await atOnce(cem, follow(cem, ada.id))
    expect(await sessions.sql`select private.finish_blocks(50) as went_on`).toEqual([{ went_on: 0 }])
    await batch.commit()
    expect(await likes()).toHaveLength(161)
    for (let wentOn: unknown = 1; wentOn !== 0; )
      wentOn = (await sessions.sql`select private.finish_blocks(50) as went_on`)[0]?.went_on
    expect(await likes()).toEqual([])
    expect(await sessions.sql`select from private.unfinished_blocks`).toEqual([])
    expect(await findInconsistencies(sessions)).toEqual({})
  })

  test('STORY-01 old stories wait for the next cleanup, and a new story does not', async () => {
    const [ada, eve] = [await joinWith('y.ada'), await sessions.join('y.eve')]
    await sessions.as(
      ada.id,
      (tx) => tx`
      insert into stories (user_id, media_type, media_url, content)
      values (${ada.id}, 'image', 'data:image/webp;base64,AAAA', 'With @y.eve')`,
    )
    await sessions.sql`update stories set expires_at = now() - interval '8 days' where user_id = ${ada.id}`
    const reading = await holdAs(eve, (tx) => tx`update notifications set read = true where user_id = ${eve}`)
    await atOnce(ada.id, share(randomUUID(), ada.id))
    await reading.commit()
    await sessions.as(ada.id, share(randomUUID(), ada.id))
    expect(await sessions.sql`select from stories where user_id = ${ada.id}`).toHaveLength(2)
  })
})

describe('a request of PostgREST', () => {
  /** Of the role: three seconds there, and here far more than a slow machine needs for what waits only for short requests. */
  const LIMIT = '1min'

  /** A request, up to its own statement. */
  const request = <T>(
    member: string,
    [method, path]: readonly [string, string],
    work: (tx: Tx) => Promise<T>,
  ) =>
    sessions.as(member, async (tx) => {
      await tx`select set_config('statement_timeout', ${LIMIT}, true), set_config('request.method', ${method}, true),
        set_config('request.path', ${path}, true)`
      await tx`select private.before_request()`
      return work(tx)
    })

  test.each([
    // Not named, as a table of tomorrow.
    ['POST', '/of_tomorrow', '500ms'],
    ['POST', '/rpc/of_tomorrow', '500ms'],
    ['DELETE', '/follows', '500ms'],
    ['POST', '/follows', '500ms'],
    ['GET', '/follows', LIMIT],
    ['HEAD', '/follows', LIMIT],
    ['DELETE', '/follow_requests', '500ms'],
    ['DELETE', '/post_tags', '500ms'],
    ['PATCH', '/conversations', '500ms'],
    ['PATCH', '/conversation_views', '500ms'],
    ['PATCH', '/message_reactions', '500ms'],
    ['PATCH', '/notifications', '500ms'],
    ['POST', '/comments', '500ms'],
    ['POST', '/rpc/touch_activity', '500ms'],
    ['PATCH', '/posts', LIMIT],
    ['POST', '/messages', LIMIT],
    ['PATCH', '/messages', '500ms'],
    ['POST', '/rpc/edit_message', LIMIT],
    ['POST', '/rpc/unsend_message', LIMIT],
    ['DELETE', '/likes', LIMIT],
    ['POST', '/rpc/end_follow', LIMIT],
    ['POST', '/rpc/create_post', LIMIT],
    ['POST', '/rpc/mark_read', '500ms'],
    ['POST', '/rpc/settle', '500ms'],
    ['POST', '/rpc/clear_account', '500ms'],
    // They only read.
    ['POST', '/rpc/search_posts', LIMIT],
    ['POST', '/rpc/my_conversations', LIMIT],
    ['POST', '/search_posts', '500ms'],
    // PostgREST decodes a path, and serves several changes of pg_graphql as one statement.
    ['DELETE', '/%66ollows', '500ms'],
    ['DELETE', '//follows', '500ms'],
    ['DELETE', '/likes/', '500ms'],
    ['DELETE', '/LIKES', '500ms'],
    ['POST', '/rpc/graph%71l', '500ms'],
    ['POST', '/rpc/graphql', '500ms'],
  ])('%s %s may take %s', async (method, path, most) => {
    const ada = await sessions.join(`rq.${randomUUID().slice(0, 8)}`)
    expect(await request(ada, [method, path], (tx) => tx`show statement_timeout`)).toEqual([
      { statement_timeout: most },
    ])
  })

  test('of a visitor and of the operator keeps its time', async () => {
    for (const role of ['anon', 'service_role']) {
      const kept = await sessions.sql.begin(async (tx) => {
        await tx`select set_config('statement_timeout', '3s', true), set_config('request.method', 'DELETE', true),
          set_config('request.path', '/follows', true), set_config('role', ${role}, true)`
        await tx`select private.before_request()`
        return tx`show statement_timeout`
      })
      expect(kept).toEqual([{ statement_timeout: '3s' }])
    }
  })

  test('is one of a project that has no function of its own to call before', async () => {
    const settings = () => sessions.sql`select rolconfig from pg_roles where rolname = 'authenticator'`
    expect(await settings()).toEqual([{ rolconfig: ['pgrst.db_pre_request=private.before_request'] }])
    const sql =
      (await readMigrations(MIGRATIONS)).find(({ version }) => version === '20261203010000')?.sql ?? ''
    const setting = sql.slice(sql.indexOf('do $$'))
    expect(setting).toContain('alter role authenticator')
    await sessions.sql.unsafe(`alter role authenticator set pgrst.db_pre_request = 'public.own'; ${setting}`)
    expect(await settings()).toEqual([{ rolconfig: ['pgrst.db_pre_request=public.own'] }])
    await sessions.sql.unsafe(`alter role authenticator reset pgrst.db_pre_request; ${setting}`)
    expect(await settings()).toEqual([{ rolconfig: ['pgrst.db_pre_request=private.before_request'] }])
  })

  test('is known to have been limited: setup_status says so, also if a function of the project calls ours', async () => {
    const ada = await sessions.join('rq.status')
    const status: Action = (tx) => tx`select (setup_status() ->> 'before_request')::boolean as is_called`
    expect(await sessions.as(ada, status)).toEqual([{ is_called: false }])
    expect(await request(ada, ['GET', '/rpc/setup_status'], status)).toEqual([{ is_called: true }])
    expect(await sessions.as(ada, status)).toEqual([{ is_called: false }])
  })

  test('that may take longer calls a function whose answer no filter reads, or holds its own new rows', async () => {
    const named = await sessions.sql`
      select p.proname as name, p.prorettype::regtype::text as answer, l.lanname as language, p.proconfig is not null as has_settings
      from pg_proc p join pg_language l on l.oid = p.prolang
      where p.pronamespace = 'public'::regnamespace and p.provolatile = 'v' and p.proname <> 'create_post' and strpos(
        (select b.prosrc from pg_proc b where b.oid = 'private.before_request()'::regprocedure), format('''/rpc/%s''', p.proname)
      ) > 0`
    expect(named.length).toBeGreaterThan(10)
    // Such a function answers null, for which PostgreSQL evaluates no filter.
    expect(named).toEqual(
      named.map(({ name }) => ({ name, answer: 'void', language: 'sql', has_settings: true })),
    )
    const ada = await sessions.join('rq.void')
    expect(
      await sessions.as(
        ada,
        (tx) => tx`select answer is null as is_null from end_follow(${ada}, ${ada}) as answer`,
      ),
    ).toEqual([{ is_null: true }])
  })

  /** Several requests with slow answers, one after the other, which hold the same row until their timeouts. */
  async function holdBy(member: string, path: string, write: Write) {
    return holdIn(
      member,
      ['DELETE', path],
      (tx) => tx`with written as (${write(tx)} returning 1) select pg_sleep(120) from written`,
    )
  }

  async function holdIn(member: string, call: readonly [string, string], slow: Action) {
    const ended: Promise<unknown>[] = []
    let over = 0
    for (let number = 1; number <= 3; number += 1) {
      const end = request(member, call, slow).then(
        // The other member may overtake a waiting request, which finds nothing then.
        (rows) => expect({ waited: number > 1, rows }).toEqual({ waited: true, rows: [] }),
        (error: unknown) => {
          over += 1
          expect(error).toEqual(refusal('57014'))
        },
      )
      ended.push(end)
      await vi.waitFor(async () => {
        const [row] = await sessions.sql`
          select count(*)::integer as slow from pg_stat_activity where query ~ 'pg_sleep' and state = 'active' and pid <> pg_backend_pid()`
        // On a slow machine the first has ended when the third begins.
        expect(row?.slow + over).toBeGreaterThanOrEqual(number)
      }, 20_000)
    }
    return () => Promise.all(ended)
  }

  /** Long before requests with the limit of the role have ended, or refused. */
  const within = (member: string, path: string, work: Action) =>
    request(member, ['POST', path], async (tx) => {
      await tx`set local statement_timeout = '20s'`
      await work(tx)
    })

  const endFollow = (follower: string, following: string) => (tx: Tx) =>
    tx`select end_follow(${follower}, ${following})`

  test('SET-04 PROF-12 a follower who holds the follow, again and again, is removed', async () => {
    const [ada, ben] = [await joinWith('hf.ada'), await sessions.join('hf.ben')]
    await sessions.as(ben, follow(ben, ada.id))
    await sessions.as(ada.id, setPrivate(ada.id, true))
    const ended = await holdBy(ben, '/follows', unfollow(ben))
    await within(ada.id, '/rpc/end_follow', endFollow(ben, ada.id))
    expect(await sessions.as(ben, (tx) => tx`select from posts where id = ${ada.post}`)).toEqual([])
    expect(await sessions.sql`select from follows where follower_id = ${ben}`).toEqual([])
    await ended()
  })

  test.each(['declined', 'accepted'] as const)(
    'SET-04 a requester who holds the request, again and again, is %s',
    async (answer) => {
      const [ada, ben] = [await sessions.join(`hr.${answer}.a`), await sessions.join(`hr.${answer}.b`)]
      await sessions.as(ada, setPrivate(ada, true))
      await sessions.as(ben, ask(ben, ada))
      const ended = await holdBy(ben, '/follow_requests', withdraw(ben))
      await (answer === 'declined'
        ? within(ada, '/rpc/end_follow', endFollow(ben, ada))
        : within(ada, '/rpc/accept_follow_request', (tx) => tx`select accept_follow_request(${ben})`))
      expect(await sessions.sql`select from follow_requests where requester_id = ${ben}`).toEqual([])
      expect(await sessions.sql`select from follows where follower_id = ${ben}`).toHaveLength(
        answer === 'accepted' ? 1 : 0,
      )
      await ended()
    },
  )

  test('PROF-11 a member who holds their tag, again and again, is untagged by the author', async () => {
    const [ada, ben, post] = [await sessions.join('ht.ada'), await sessions.join('ht.ben'), randomUUID()]
    await sessions.as(ada, publish(post, ada, 'With @ht.ben'))
    const untag = (tx: Tx) => tx`delete from post_tags where tagged_user_id = ${ben}`
    const ended = await holdBy(ben, '/post_tags', untag)
    await within(ada, '/posts', (tx) => tx`update posts set content = 'Alone' where id = ${post}`)
    expect(await sessions.sql`select from post_tags where post_id = ${post}`).toEqual([])
    await ended()
  })

  test.each([
    ['MSG-11', 'unsend', unsendMessage, { content: '', is_unsent: true }],
    ['MSG-14', 'edit', editMessage, { content: 'hey', is_unsent: false }],
  ] as const)(
    '%s a recipient who marks a message as read, again and again, does not keep its sender waiting: %s',
    async (_row, how, change, expected) => {
      const { ada, ben, message } = await pair(`hm.${how}`)
      const ended = await holdBy(ben, '/messages', markRead(message))
      await within(ada, `/rpc/${how}_message`, change(message))
      expect(await stored(message)).toEqual([{ ...expected, read: false }])
      await ended()
    },
  )

  test.each([
    ['MSG-11', 'unsend', unsendMessage],
    ['MSG-14', 'edit', editMessage],
  ] as const)(
    '%s a recipient whose mark has a slow filter, again and again, does not keep the sender waiting: %s',
    async (_row, how, change) => {
      const { ada, ben, conversation, message } = await pair(`hs.${how}`)
      const ended = await holdIn(
        ben,
        ['POST', '/rpc/mark_read'],
        (tx) =>
          tx`select pg_sleep(120) from mark_read(${conversation}, '2100-01-01', ${randomUUID()}) as answer`,
      )
      await within(ada, `/rpc/${how}_message`, change(message))
      expect(await stored(message)).toEqual([expect.objectContaining({ read: false })])
      await ended()
    },
  )

  test('FEED-11 what a slow settle() adds up, again and again, its author changes', async () => {
    const [ada, eve] = [await joinWith('hw.ada'), await sessions.join('hw.eve')]
    await sessions.sql`insert into private.count_changes (item, counter, change) values (${ada.post}, 'likes', 0)`
    const ended = await holdIn(
      eve,
      ['POST', '/rpc/settle'],
      (tx) => tx`select pg_sleep(120) from settle() as answer`,
    )
    await within(ada.id, '/posts', (tx) => tx`update posts set content = 'Mine' where id = ${ada.post}`)
    await ended()
    await sessions.sql`delete from private.count_changes where item = ${ada.post}`
  })

  test('MSG-12 SET-03 a group whose picture somebody clears slowly, again and again, goes on', async () => {
    const [ada, eve] = [await sessions.join('hc.ada'), await sessions.join('hc.eve')]
    const group = await makeGroup(owner, ada)
    await putInto(owner, group, eve, 'in')
    const setPicture = (key: string | null) =>
      sessions.sql.begin(async (tx) => {
        // This database has no Storage, so no object was uploaded.
        await tx`set local session_replication_role = replica`
        await tx`update conversations set picture_path = ${key}, pictured_by = ${key && eve} where id = ${group}`
      })
    await setPicture(`${eve}/${randomUUID()}.webp`)
    const ended = await holdIn(
      eve,
      ['POST', '/rpc/clear_account'],
      (tx) => tx`select pg_sleep(120) from clear_account() as answer`,
    )
    await within(
      ada,
      '/messages',
      (tx) => tx`insert into messages (conversation_id, sender_id, content) values (${group}, ${ada}, 'hi')`,
    )
    await ended()
    await setPicture(null)
  })

  test('SET-03 clear_account() waits for 50 ms, also for a post of which somebody holds a like', async () => {
    const waits = await sessions.sql`
      select p.proname as name, s.split[2] as wait
      from pg_proc p
      left join lateral (select string_to_array(c, '=') as split from unnest(p.proconfig) as c where c like 'lock_timeout=%') as s on true
      where p.pronamespace = 'private'::regnamespace and p.proname in ('clear_account', 'remove_items', 'delete_posts')
      order by 1`
    expect(waits).toEqual([
      { name: 'clear_account', wait: '50ms' },
      { name: 'delete_posts', wait: '200ms' },
      // That of its caller.
      { name: 'remove_items', wait: null },
    ])
  })

  test.each([
    ['edits', (id: string) => (tx: Tx) => tx`update messages set content = 'hey' where id = ${id}`],
    ['unsends', (id: string) => (tx: Tx) => tx`update messages set deleted_at = now() where id = ${id}`],
  ] as const)('MSG-05 a sender who %s a message, again and again, has it read', async (how, write) => {
    const { ada, ben, message } = await pair(`hr.${how}`)
    const ended = await holdBy(ada, '/messages', write(message))
    await within(ben, '/messages', markRead(message))
    expect(await stored(message)).toEqual([{ content: 'look', read: true, is_unsent: false }])
    await ended()
  })

  test('MSG-04 a new message, which may take longer, holds none that exists', async () => {
    const { ada, message } = await pair('hm.upsert')
    const upsert: Action = (tx) => tx`
      insert into messages (id, conversation_id, sender_id, content)
        select id, conversation_id, sender_id, 'hey' from messages where id = ${message}
        on conflict (id) do update set id = excluded.id, content = excluded.content`
    await expect(request(ada, ['POST', '/messages'], upsert)).rejects.toEqual(refusal('42501'))
  })

  test.each([
    ['deletes', (tx: Tx) => tx`delete from notifications`],
    ['reads', (tx: Tx) => tx`update notifications set read = true`],
  ] as const)(
    'FEED-08 a member who %s notifications, again and again, keeps nobody from undoing what they tell',
    async (how, write) => {
      const [ada, ben] = [await joinWith(`hn.${how}.a`, true), await joinWith(`hn.${how}.b`)]
      await sessions.as(ben.id, ask(ben.id, ada.id))
      await sessions.as(ada.id, (tx) => tx`select accept_follow_request(${ben.id})`)
      await sessions.as(ada.id, like(ada.id, ben.post))
      for (const [path, undo] of [
        ['/rpc/end_follow', endFollow(ben.id, ada.id)],
        ['/likes', unlike(ada.id)],
      ] as const) {
        const ended = await holdBy(ben.id, '/notifications', write)
        await within(ada.id, path, undo)
        await ended()
      }
      expect(await sessions.sql`select from follows where follower_id = ${ben.id}`).toEqual([])
      expect(await sessions.sql`select from notifications where user_id = ${ben.id}`).toEqual([])
    },
  )
})

describe('within their quotas, members', () => {
  const counted = ['removals', 'read_marks', 'reactions', 'message_changes', 'post_changes']
  beforeAll(
    () => sessions.sql`update private.quotas set per_minute = 600 where kind in ${sessions.sql(counted)}`,
  )
  afterAll(
    () => sessions.sql`update private.quotas set per_minute = null where kind in ${sessions.sql(counted)}`,
  )

  const endFollow = (follower: string, following: string) => (tx: Tx) =>
    tx`select end_follow(${follower}, ${following})`

  /** What somebody holds, and how the other ends it. */
  interface Held {
    owner: string
    write: Write
    other: string
    end: Action
    left: () => Promise<readonly unknown[]>
  }

  async function follows(name: string): Promise<Held> {
    const [ada, ben] = [await sessions.join(`${name}.a`), await sessions.join(`${name}.b`)]
    await sessions.as(ben, follow(ben, ada))
    const left = () => sessions.sql`select from follows where follower_id = ${ben}`
    return { owner: ben, write: unfollow(ben), other: ada, end: endFollow(ben, ada), left }
  }

  async function requests(name: string): Promise<Held> {
    const [ada, ben] = [await sessions.join(`${name}.a`), await sessions.join(`${name}.b`)]
    await sessions.as(ada, setPrivate(ada, true))
    await sessions.as(ben, ask(ben, ada))
    const left = () => sessions.sql`select from follow_requests where requester_id = ${ben}`
    return { owner: ben, write: withdraw(ben), other: ada, end: endFollow(ben, ada), left }
  }

  async function tags(name: string): Promise<Held> {
    const [ada, ben, post] = [
      await sessions.join(`${name}.a`),
      await sessions.join(`${name}.b`),
      randomUUID(),
    ]
    await sessions.as(ada, publish(post, ada, `With @${name}.b`))
    return {
      owner: ben,
      write: (tx) => tx`delete from post_tags where tagged_user_id = ${ben}`,
      other: ada,
      end: (tx) => tx`update posts set content = 'Alone' where id = ${post}`,
      left: () => sessions.sql`select from post_tags where post_id = ${post}`,
    }
  }

  const notifications = (write: Write) => async (name: string) => {
    const [ada, ben] = [await sessions.join(`${name}.a`), await joinWith(`${name}.b`)]
    await sessions.as(ada, like(ada, ben.post))
    const left = () => sessions.sql`select from notifications where user_id = ${ben.id}`
    return { owner: ben.id, write, other: ada, end: unlike(ada), left }
  }

  const reactions = (write: Write) => async (name: string) => {
    const [ada, ben] = [await sessions.join(`${name}.a`), await sessions.join(`${name}.b`)]
    const [conversation, message] = [randomUUID(), randomUUID()]
    await sessions.sql`insert into conversations (id, participant_1, participant_2) values (${conversation}, ${ada}, ${ben})`
    await sessions.sql`insert into messages (id, conversation_id, sender_id, content) values (${message}, ${conversation}, ${ada}, 'look')`
    await sessions.sql`insert into message_reactions (message_id, member_id, emoji) values (${message}, ${ben}, '👍')`
    return {
      owner: ben,
      write,
      other: ada,
      end: (tx: Tx) => tx`update messages set deleted_at = now() where id = ${message}`,
      left: () => sessions.sql`select from message_reactions where message_id = ${message}`,
    }
  }

  const messages = (change: (message: string) => Action) => async (name: string) => {
    const { ada, ben, message } = await pair(name)
    return {
      owner: ben,
      write: markRead(message),
      other: ada,
      end: change(message),
      left: () => sessions.sql`select from messages where id = ${message} and content = 'look'`,
    }
  }

  test.each([
    ['SET-04 PROF-12', 'follows', 'unfollow', follows],
    ['SET-04', 'follow_requests', 'withdraw', requests],
    ['PROF-11', 'post_tags', 'untag', tags],
    ['FEED-08', 'notifications', 'delete', notifications((tx) => tx`delete from notifications`)],
    ['FEED-08', 'notifications', 'read', notifications((tx) => tx`update notifications set read = true`)],
    ['MSG-11', 'messages', 'read what is unsent', messages(unsendMessage)],
    ['MSG-14', 'messages', 'mark what is edited', messages(editMessage)],
    ['MSG-11', 'message_reactions', 'take back', reactions((tx) => tx`delete from message_reactions`)],
    [
      'MSG-11',
      'message_reactions',
      'change',
      reactions((tx) => tx`update message_reactions set emoji = '🔥'`),
    ],
  ] as const)(
    '%s who hold rows of %s, again and again, wait behind those who came before: %s',
    async (_row, table, how, start) => {
      const { owner, write, other, end, left } = await start(`q.${table.slice(-9)}.${how.slice(0, 4).trim()}`)
      const first = await stall(owner, write)
      const ending = sessions.as(other, end)
      await sessions.waitUntilBlocked(2)
      const second = sessions.as(owner, write)
      await sessions.waitUntilBlocked(3)
      // Who waits first for a row holds the lock for which all others wait.
      const behind = await sessions.sql`
        select relation::regclass::text as table from pg_locks where locktype = 'tuple' and not granted`
      expect(behind).toEqual([{ table }])
      await first.release()
      await ending
      await second
      expect(await left()).toEqual([])
    },
  )

  test('SAFE-06 whose quota is used up are refused before they wait for anybody, or write', async () => {
    const { owner, write, left } = await follows('q.spent')
    const removals = (most: number) =>
      sessions.sql`update private.quotas set per_minute = ${most} where kind = 'removals'`
    await removals(1)
    onTestFinished(async () => void (await removals(600)))
    await sessions.as(owner, unlike(owner))
    await lock((tx) => tx`select from follows where follower_id = ${owner} for update`)
    await expect(atOnce(owner, write)).rejects.toEqual(refusal('PT429'))
    expect(await left()).toHaveLength(1)
  })

  test('SET-04 who wait for their counter hold no request meanwhile: it is declined', async () => {
    const { owner, other, end, left } = await requests('q.counter')
    const counted = await holdAs(owner, unlike(owner))
    const withdrawing = sessions.as(owner, endFollow(owner, other))
    await sessions.waitUntilBlocked(1)
    await atOnce(other, end)
    expect(await left()).toEqual([])
    await counted.commit()
    await withdrawing
  })

  test.each([
    ['MSG-11', 'unsend', unsendMessage],
    ['MSG-14', 'edit', editMessage],
  ] as const)('%s who wait to %s a message hold none for which others wait', async (_row, how, change) => {
    const { ada, ben, message } = await pair(`q.${how}`)
    const next = randomUUID()
    await sessions.sql`insert into messages (id, conversation_id, sender_id, content)
      select ${next}, conversation_id, sender_id, 'next' from messages where id = ${message}`
    await sessions.sql`insert into message_reactions (message_id, member_id, emoji) values (${message}, ${ben}, '👍')`
    const reacting = await holdAs(ben, (tx) => tx`delete from message_reactions`)
    const unsending = sessions.as(ada, unsendMessage(message))
    await sessions.waitUntilBlocked(1)
    const waiting = sessions.as(ada, change(next))
    await sessions.waitUntilBlocked(2)
    await atOnce(ben, markRead(next))
    await reacting.commit()
    await unsending
    await waiting
    expect(await stored(next)).toEqual([expect.objectContaining({ read: true })])
  })
})

describe('a batch of what is removed', () => {
  /** An account with two posts that many others liked, and that likes a post of Ben's. */
  async function removed(name: string) {
    const [star, ben] = [await joinWith(`${name}.star`), await joinWith(`${name}.ben`)]
    const fans = await Promise.all(Array.from({ length: 60 }, (_, n) => sessions.join(`${name}.f${n}`)))
    await sessions.sql`insert into follows (follower_id, following_id) select unnest(${fans}::uuid[]), ${star.id}`
    await sessions.sql`insert into likes (user_id, post_id) select unnest(${fans}::uuid[]), ${star.post}`
    await sessions.as(star.id, like(star.id, ben.post))
    await sessions.as(star.id, leave())
    expect(await sessions.sql`select from private.jobs where subject_id = ${star.id}`).toHaveLength(1)
    const left = async () =>
      (
        await sessions.sql`select (select count(*) from follows where following_id = ${star.id})::integer
          + (select count(*) from likes where post_id = ${star.post})::integer as rows`
      )[0]?.rows
    return { star, ben, fans, left }
  }

  test('SET-03 lets others like, follow and comment between two batches, and those it does not count during one', async () => {
    const { ben, fans } = await removed('ba')
    const fan = fans[0] ?? ''
    const quiet = await joinWith('ba.quiet')
    const batch = await lock((tx) => tx`select private.work_job(20)`)
    await atOnce(fan, like(fan, quiet.post))
    await atOnce(fan, comment(fan, quiet.post))
    await atOnce(ben.id, follow(ben.id, quiet.id))
    await batch.commit()
    for (let more = true; more; ) {
      await atOnce(fan, like(fan, ben.post))
      await atOnce(fan, unlike(fan))
      const [row] = await sessions.sql`select private.work_job(20) as removed`
      more = row?.removed !== 0
    }
    expect(await findInconsistencies(sessions)).toEqual({})
  })

  test('SET-03 that is cancelled loses nothing, and the next one goes on', async () => {
    const { star, left } = await removed('bc')
    await sessions.sql`select private.work_job(20)`
    const before = await left()
    const cancelled = sessions.sql.begin(async (tx) => {
      await tx`select private.work_job(20)`
      throw new Error('cancelled')
    })
    await expect(cancelled).rejects.toThrow('cancelled')
    expect(await left()).toBe(before)
    expect(await sessions.as(star.id, (tx) => tx`select from profiles where id = ${star.id}`)).toEqual([])
    await sessions.workOff()
    expect(await sessions.sql`select from profiles where id = ${star.id}`).toEqual([])
    expect(await findInconsistencies(sessions)).toEqual({})
  })

  test('SET-03 is done by one of two workers, and the other takes another job or none', async () => {
    const one = await removed('bo')
    const first = await lock((tx) => tx`select private.work_job(20)`)
    expect(await sessions.sql`select private.work_job(20) as removed`).toEqual([{ removed: 0 }])
    const two = await removed('bt')
    await sessions.sql`select private.work_job(20)`
    await first.commit()
    await sessions.workOff()
    for (const { star } of [one, two])
      expect(await sessions.sql`select from profiles where id = ${star.id}`).toEqual([])
    expect(await findInconsistencies(sessions)).toEqual({})
  })
})

describe('messages', () => {
  /** A request by `ada` to `ben`, with one unread message. */
  async function startConversation(name: string) {
    const [ada, ben] = [await sessions.join(`${name}.ada`), await sessions.join(`${name}.ben`)]
    const id = randomUUID()
    const send = (member: string) => (tx: Tx) =>
      tx`insert into messages (conversation_id, sender_id, content) values (${id}, ${member}, 'hi')`
    await sessions.as(
      ada,
      (tx) => tx`insert into conversations (id, participant_1, participant_2) values (${id}, ${ada}, ${ben})`,
    )
    await sessions.as(ada, send(ada))
    const row = async (member: string) =>
      (
        await sessions.sql`
          select folder, accepted, unread, undelivered, delivered_at, last_message_at from conversation_views
          where conversation_id = ${id} and member_id = ${member}`
      )[0]
    const accept: Action = (tx) =>
      tx`update conversation_views set folder = 'inbox' where conversation_id = ${id} and member_id = ${ben}`
    return { ada, ben, id, send, row, accept }
  }

  test('MSG-05 one that arrives while another is marked as read stays unread', async () => {
    const { ada, ben, id, send, row, accept } = await startConversation('v')
    await sessions.as(ben, accept)
    const arriving = await holdAs(ada, send(ada))
    const reading = sessions.as(
      ben,
      (tx) => tx`update messages set read = true where conversation_id = ${id} and recipient_id = ${ben}`,
    )
    await sessions.waitUntilBlocked(1)
    await arriving.commit()
    await reading
    expect(await row(ben)).toMatchObject({ unread: true })
  })

  test('MSG-05 one that arrives while a mark is raised stays unread', async () => {
    const { ada, ben, id, send, row, accept } = await startConversation('mark')
    await sessions.as(ben, accept)
    const arriving = await holdAs(ada, send(ada))
    const marking = sessions.as(ben, (tx) => tx`select mark_read(${id}, '2100-01-01', ${randomUUID()})`)
    await sessions.waitUntilBlocked(1)
    await arriving.commit()
    await marking
    expect(await row(ben)).toMatchObject({ unread: true })
    await sessions.as(ben, (tx) => tx`select mark_read(${id}, '2100-01-01', ${randomUUID()})`)
    expect(await row(ben)).toMatchObject({ unread: false })
  })

  test('MSG-05 a mark that is being set when receipts are turned off is cleared, and one that comes then is not shown', async () => {
    const { ada, ben, id, send, accept } = await startConversation('off')
    await sessions.as(ben, accept)
    const mark: Action = (tx) => tx`select mark_read(${id}, '2100-01-01', ${randomUUID()})`
    const receipts =
      (isOn: boolean): Action =>
      (tx) =>
        tx`update profiles set read_receipts = ${isOn} where id = ${ben}`
    const shown = async () =>
      (
        await sessions.sql`select read_at is not null as is_shown, mark_at = last_message_at as is_read
        from conversation_members join conversation_views using (conversation_id, member_id)
        where conversation_id = ${id} and member_id = ${ben}`
      )[0]
    const marking = await holdAs(ben, mark)
    const turningOff = sessions.as(ben, receipts(false))
    await sessions.waitUntilBlocked(1)
    await marking.commit()
    await turningOff
    expect(await shown()).toEqual({ is_shown: false, is_read: true })
    await sessions.as(ben, receipts(true))
    await sessions.as(ada, send(ada))
    // The specification's call has marked its message, and sets the mark when the statement ends.
    for (const read of [
      mark,
      (tx: Tx) => tx`update messages set read = true where conversation_id = ${id}`,
    ]) {
      const changing = await holdAs(ben, receipts(false))
      await atOnce(ben, read)
      await changing.commit()
      expect(await shown()).toEqual({ is_shown: false, is_read: true })
      await sessions.as(ben, receipts(true))
      await sessions.as(ada, send(ada))
    }
    expect(await findInconsistencies(sessions)).toEqual({})
  })

  test('MSG-05 shown marks that somebody holds when receipts are turned off are cleared later, and nobody waits', async () => {
    const { ben, id, accept } = await startConversation('slow')
    await sessions.as(ben, accept)
    await sessions.as(ben, (tx) => tx`select mark_read(${id}, '2100-01-01', ${randomUUID()})`)
    const held = await lock(
      (tx) => tx`select from conversation_members where conversation_id = ${id} for update`,
    )
    await atOnce(ben, (tx) => tx`update profiles set read_receipts = false where id = ${ben}`)
    const clear = async () => (await sessions.sql`select private.clear_left_marks(10) as went_on`)[0]?.went_on
    expect([await clear(), await sessions.sql`select kind from private.jobs`]).toEqual([
      0,
      [{ kind: 'receipts' }],
    ])
    await held.commit()
    expect([await clear(), await sessions.sql`select kind from private.jobs`]).toEqual([1, []])
    expect(await sessions.sql`select read_at from conversation_members where member_id = ${ben}`).toEqual([
      { read_at: null },
    ])
  })

  test('MSG-10 one that arrives while its conversation is accepted does not make it a request again', async () => {
    const { ada, ben, send, row, accept } = await startConversation('x')
    const accepting = await holdAs(ben, accept)
    const arriving = sessions.as(ada, send(ada))
    await sessions.waitUntilBlocked(1)
    await accepting.commit()
    await arriving
    expect(await row(ben)).toMatchObject({ folder: 'inbox', accepted: true })
  })

  test('MSG-05 one that arrives while another is reported as delivered is reported with it, or later', async () => {
    const { ada, ben, send, row, accept } = await startConversation('z')
    await sessions.as(ben, accept)
    const arriving = await holdAs(ada, send(ada))
    const report: Action = (tx) => tx`select mark_delivered()`
    await atOnce(ben, report)
    await arriving.commit()
    await sessions.as(ben, report)
    const { last_message_at, undelivered } = (await row(ben)) ?? {}
    expect([undelivered, (await row(ada))?.delivered_at]).toEqual([false, last_message_at])
  })

  describe('that somebody holds', () => {
    const file =
      (member: string, id: string): Action =>
      (tx) =>
        tx`update conversation_views set folder = 'archived' where member_id = ${member} and conversation_id = ${id}`
    /** Waits until the statement of a member waits for a lock, or for the next try. */
    const untilWaiting = () =>
      vi.waitFor(async () => {
        const [row] = await sessions.sql`
          select count(*)::integer as waiting from pg_stat_activity
          where datname = current_database() and state = 'active' and (wait_event_type = 'Lock' or wait_event = 'PgSleep')`
        expect(row?.waiting).toBe(1)
      }, 20_000)

    test('MSG-05 an own one, by a slow edit, keeps the other from no mark, and is shown as read later', async () => {
      const { ada, ben, id, send, row, accept } = await startConversation('own.edit')
      await sessions.as(ben, accept)
      await sessions.as(ada, send(ada))
      await sessions.as(ada, send(ada))
      const [first, held, last] = (
        await sessions.sql`select id from messages where conversation_id = ${id} order by created_at, id`
      ).map((message) => String(message.id))
      const mark: Action = (tx) => tx`select mark_read(${id}, '2100-01-01', ${randomUUID()})`
      const shown = async () =>
        (
          await sessions.sql`
          select array(select id from messages where conversation_id = ${id} and read order by created_at, id) as read, read_id
          from conversation_members where conversation_id = ${id} and member_id = ${ben}`
        )[0]
      const editing = await holdAs(
        ada,
        (tx) => tx`update messages set content = 'hey' where id = ${held ?? ''}`,
      )
      await atOnce(ben, mark)
      expect(await row(ben)).toMatchObject({ unread: false, undelivered: false })
      expect(await shown()).toEqual({ read: [first], read_id: first })
      await atOnce(ben, mark)
      expect(await shown()).toEqual({ read: [first], read_id: first })
      await editing.commit()
      await sessions.as(ben, mark)
      expect(await shown()).toEqual({ read: [first, held, last], read_id: last })
      expect(await findInconsistencies(sessions)).toEqual({})
    })

    test('MSG-05 the first one, by a slow edit, shows no mark meanwhile', async () => {
      const { ada, ben, id, row, accept } = await startConversation('own.first')
      await sessions.as(ben, accept)
      await holdAs(ada, (tx) => tx`update messages set content = 'hey' where conversation_id = ${id}`)
      await atOnce(ben, (tx) => tx`select mark_read(${id}, '2100-01-01', ${randomUUID()})`)
      expect(await row(ben)).toMatchObject({ unread: false })
      expect(
        await sessions.sql`select read_id from conversation_members where conversation_id = ${id} and member_id = ${ben}`,
      ).toEqual([{ read_id: null }])
    })

    test('MSG-12 none is held in a group by who did not write it, whatever they update', async () => {
      const [ada, ben] = [await sessions.join('hg.ada'), await sessions.join('hg.ben')]
      const group = await makeGroup(owner, ada)
      await putInto(owner, group, ben, 'in')
      await sessions.as(
        ada,
        (tx) =>
          tx`insert into messages (conversation_id, sender_id, content) values (${group}, ${ada}, 'hi')`,
      )
      await holdAs(ben, (tx) => tx`update messages set read = false where conversation_id = ${group}`)
      await atOnce(ada, (tx) => tx`update messages set content = 'hey' where conversation_id = ${group}`)
    })

    test('MSG-04 a sender who holds the own view holds no conversation while they wait for it', async () => {
      const { ada, id, send } = await startConversation('own')
      const filing = await holdAs(ada, file(ada, id))
      const sending = sessions.as(ada, send(ada))
      await untilWaiting()
      const other = await lock(async (tx) => {
        await tx`set local lock_timeout = '10s'`
        await tx`select from conversations where id = ${id} for no key update`
      })
      await other.commit()
      await filing.commit()
      await sending
      expect(await sessions.sql`select from messages where conversation_id = ${id}`).toHaveLength(2)
    })

    test('MSG-04 a statement writes to one conversation: what it held of the first, others would wait for', async () => {
      const [one, cleo, three] = [
        await startConversation('one'),
        await sessions.join('one.cleo'),
        randomUUID(),
      ]
      await sessions.as(
        one.ben,
        (tx) =>
          tx`insert into conversations (id, participant_1, participant_2) values (${three}, ${one.ben}, ${cleo})`,
      )
      const sendBoth: Action = (tx) =>
        tx`insert into messages (conversation_id, sender_id, content) values (${one.id}, ${one.ben}, 'a'), (${three}, ${one.ben}, 'b')`
      const filing = await holdAs(one.ben, file(one.ben, three))
      await expect(atOnce(one.ben, sendBoth)).rejects.toEqual(refusal('PT422'))
      await filing.commit()
      for (const id of [one.id, three])
        await sessions.as(
          one.ben,
          (tx) =>
            tx`insert into messages (conversation_id, sender_id, content) values (${id}, ${one.ben}, 'a')`,
        )
      await expect(
        atOnce(one.ben, (tx) => tx`update messages set content = 'ok' where sender_id = ${one.ben}`),
      ).rejects.toEqual(refusal('PT422'))
      await atOnce(
        one.ben,
        (tx) =>
          tx`update messages set content = 'ok' where sender_id = ${one.ben} and conversation_id = ${three}`,
      )
    })

    test('MSG-05 a view of the reader, or of a sender, is reported as delivered by a later call', async () => {
      const { ada, ben, id, row, accept } = await startConversation('dv')
      await sessions.as(ben, accept)
      const report: Action = (tx) => tx`select mark_delivered()`
      for (const holder of [ben, ada]) {
        const filing = await holdAs(holder, file(holder, id))
        await atOnce(ben, report)
        expect(await row(ben)).toMatchObject({ undelivered: true })
        await filing.commit()
        await sessions.as(ben, accept)
      }
      await sessions.as(ben, report)
      expect(await row(ben)).toMatchObject({ undelivered: false })
    })
  })

  test('MSG-04 one that another overtakes gets a later time, so that no mark has passed it', async () => {
    const { ada, ben, id, send, accept } = await startConversation('grow')
    await sessions.as(ben, accept)
    const [started, release] = [gate(), gate()]
    const overtaken = sessions.as(ada, async (tx) => {
      started.open()
      await release.opened
      await send(ada)(tx)
    })
    await started.opened
    await sessions.as(ben, send(ben))
    release.open()
    await overtaken
    const rows =
      await sessions.sql`select sender_id from messages where conversation_id = ${id} order by created_at, id`
    expect(rows.map(({ sender_id }) => sender_id)).toEqual([ada, ben, ada])
    // In the other order, the second waits for the first and has a later time anyway.
    const first = await holdAs(ada, send(ada))
    const second = sessions.as(ben, send(ben))
    await sessions.waitUntilBlocked(1)
    await first.commit()
    await second
    const all =
      await sessions.sql`select sender_id from messages where conversation_id = ${id} order by created_at, id`
    expect(all.map(({ sender_id }) => sender_id)).toEqual([ada, ben, ada, ada, ben])
  })

  describe('of a member who is removed from a group meanwhile', () => {
    const removeFrom =
      (group: string, member: string): Action =>
      (tx) =>
        tx`update conversation_members set state = 'removed', left_at = now()
          where conversation_id = ${group} and member_id = ${member}`
    const send = (group: string, member: string) => (tx: Tx) =>
      tx`insert into messages (conversation_id, sender_id, content) values (${group}, ${member}, 'hi')`
    const reactIn = (group: string, member: string) => (tx: Tx) =>
      tx`insert into message_reactions (message_id, member_id, emoji)
        select id, ${member}, '👍' from messages where conversation_id = ${group}`
    const messagesIn = (group: string) => sessions.sql`select from messages where conversation_id = ${group}`

    async function groupOf(name: string) {
      const [ada, ben] = [await sessions.join(`${name}.ada`), await sessions.join(`${name}.ben`)]
      const group = await makeGroup(owner, ada)
      await putInto(owner, group, ben, 'in')
      return { group, ada, ben }
    }

    test('who waits for the view that they hold keeps nobody else from writing', async () => {
      const { group, ada, ben } = await groupOf('gh')
      const filing = await holdAs(
        ben,
        (tx) => tx`update conversation_views set folder = 'archived' where member_id = ${ben}`,
      )
      const removing = sessions.sql.begin(removeFrom(group, ben))
      await sessions.waitUntilBlocked(1)
      await atOnce(ada, send(group, ada))
      await filing.commit()
      await removing
      await expect(sessions.as(ben, send(group, ben))).rejects.toEqual(refusal('PT403'))
    })

    /** What has been broadcast in the channels of a group since, as `table epoch`. */
    async function listenIn(group: string): Promise<string[]> {
      const heard: string[] = []
      const { unlisten } = await sessions.sql.listen('realtime_broadcasts', (text) => {
        const { topic, payload } = JSON.parse(text)
        const [kind, id, epoch] = topic.split(':')
        if (kind === 'conversation' && id === group) heard.push(`${payload.table} ${epoch}`)
      })
      onTestFinished(unlisten)
      return heard
    }
    const expectHeard = (heard: string[], expected: string[]) =>
      vi.waitFor(() => expect(heard).toEqual(expected))

    test('are before the removal, which waits for them', async () => {
      const { group, ada, ben } = await groupOf('g.first')
      const heard = await listenIn(group)
      const sending = await holdAs(ben, send(group, ben))
      const removing = sessions.sql.begin(removeFrom(group, ben))
      await sessions.waitUntilBlocked(1)
      await sending.commit()
      await removing
      expect(await messagesIn(group)).toHaveLength(1)
      await expect(sessions.as(ben, send(group, ben))).rejects.toEqual(refusal('PT403'))
      await sessions.as(ada, send(group, ada))
      await expectHeard(heard, ['messages 0', 'conversations 0', 'messages 1'])
    })

    test.each<[string, (group: string, ada: string) => (tx: Tx) => Promise<unknown>]>([
      ['new ones', send],
      [
        'edited ones',
        (group) => (tx) => tx`update messages set content = 'hey' where conversation_id = ${group}`,
      ],
      [
        'unsent ones',
        (group) => (tx) => tx`update messages set deleted_at = now() where conversation_id = ${group}`,
      ],
      ['reactions to them', reactIn],
    ])('of others are told in one epoch: %s', async (name, change) => {
      const { group, ada, ben } = await groupOf(`g.${name.slice(0, 3)}`)
      await sessions.as(ada, send(group, ada))
      const heard = await listenIn(group)
      const changing = await holdAs(ada, change(group, ada))
      const removing = sessions.sql.begin(removeFrom(group, ben))
      await sessions.waitUntilBlocked(1)
      await changing.commit()
      await removing
      await expectHeard(heard, ['messages 0', 'conversations 0'])

      await putInto(owner, group, ben, 'in')
      await sessions.sql`delete from messages where conversation_id = ${group}`
      await sessions.as(ada, send(group, ada))
      await expectHeard(heard, ['messages 0', 'conversations 0', 'conversations 1', 'messages 1'])
      heard.length = 0
      const removingFirst = await lock(removeFrom(group, ben))
      const waiting = sessions.as(ada, change(group, ada))
      await sessions.waitUntilBlocked(1)
      await removingFirst.commit()
      await waiting
      await expectHeard(heard, ['conversations 1', 'messages 2'])
    })

    test('MSG-11 a reaction that waits for the removal is refused', async () => {
      const { group, ada, ben } = await groupOf('g.react')
      await sessions.as(ada, send(group, ada))
      const removing = await lock(removeFrom(group, ben))
      const refused = expect(sessions.as(ben, reactIn(group, ben))).rejects.toEqual(refusal('PT403'))
      await sessions.waitUntilBlocked(1)
      await removing.commit()
      await refused
      expect(await sessions.sql`select from message_reactions where conversation_id = ${group}`).toEqual([])
    })

    test('a mark that waits for the removal is not shown', async () => {
      const { group, ada, ben } = await groupOf('g.mark')
      await sessions.as(ada, send(group, ada))
      const removing = await lock(removeFrom(group, ben))
      const marking = sessions.as(ben, (tx) => tx`select mark_read(${group}, '2100-01-01', ${randomUUID()})`)
      await sessions.waitUntilBlocked(1)
      await removing.commit()
      await marking
      expect(
        await sessions.sql`select m.read_at, v.mark_at from conversation_members m
          join conversation_views v using (conversation_id, member_id) where conversation_id = ${group} and member_id = ${ben}`,
      ).toEqual([{ read_at: null, mark_at: null }])
    })

    test('are refused after it, for which they wait', async () => {
      const { group, ada, ben } = await groupOf('g.then')
      const heard = await listenIn(group)
      const removing = await lock(removeFrom(group, ben))
      const sending = sessions.as(ben, send(group, ben))
      const refused = expect(sending).rejects.toEqual(refusal('PT403'))
      await sessions.waitUntilBlocked(1)
      await removing.commit()
      await refused
      expect(await messagesIn(group)).toHaveLength(0)
      await sessions.as(ada, send(group, ada))
      expect(await messagesIn(group)).toHaveLength(1)
      await expectHeard(heard, ['conversations 0', 'messages 1'])
    })
  })

  test('SAFE-01 a block waits for nobody who holds the conversation: its epoch is raised once it is free', async () => {
    const { ada, ben, id } = await startConversation('holding')
    const state = () =>
      sessions.sql`select epoch, (select count(*)::integer from private.unfinished_blocks) as left from conversations where id = ${id}`
    const holding = await holdAs(
      ada,
      (tx) => tx`update conversations set last_message_at = now() where id = ${id}`,
    )
    await atOnce(ben, block(ada))
    expect(await state()).toEqual([{ epoch: 0, left: 1 }])
    await sessions.sql`select private.finish_blocks(200)`
    expect(await state()).toEqual([{ epoch: 0, left: 1 }])
    await holding.commit()
    await sessions.sql`select private.finish_blocks(200)`
    expect(await state()).toEqual([{ epoch: 1, left: 0 }])
  })

  describe('reactions', () => {
    const react = (message: string, member: string) => (tx: Tx) =>
      tx`insert into message_reactions (message_id, member_id, emoji) values (${message}, ${member}, '👍')`
    const change = (message: string, member: string) => (tx: Tx) =>
      tx`update message_reactions set emoji = '🔥' where message_id = ${message} and member_id = ${member} returning 1`
    const unsend = (message: string) => (tx: Tx) =>
      tx`update messages set deleted_at = now() where id = ${message}`

    async function startWithMessage(name: string) {
      const { ada, ben, id, accept } = await startConversation(name)
      await sessions.as(ben, accept)
      const message = randomUUID()
      await sessions.as(
        ada,
        (tx) =>
          tx`insert into messages (id, conversation_id, sender_id, content) values (${message}, ${id}, ${ada}, 'look')`,
      )
      const reactions = () => sessions.sql`select emoji from message_reactions where message_id = ${message}`
      return { ada, ben, id, message, reactions }
    }

    beforeAll(
      () =>
        sessions.sql`update private.quotas set per_minute = 120 where kind in ('reactions', 'message_changes')`,
    )
    afterAll(
      () =>
        sessions.sql`update private.quotas set per_minute = null where kind in ('reactions', 'message_changes')`,
    )

    test.each(['ada', 'ben'] as const)(
      'MSG-11 of %s go with the message that is unsent meanwhile',
      async (who) => {
        const { message, reactions, ...people } = await startWithMessage(`r.first.${who}`)
        const reacting = await holdAs(people[who], react(message, people[who]))
        const unsending = sessions.as(people.ada, unsend(message))
        await sessions.waitUntilBlocked(1)
        await reacting.commit()
        await unsending
        expect(await reactions()).toEqual([])
      },
    )

    test.each(['ada', 'ben'] as const)(
      'MSG-11 of %s are refused after the unsending for which they wait',
      async (who) => {
        const { message, reactions, ...people } = await startWithMessage(`r.then.${who}`)
        const unsending = await holdAs(people.ada, unsend(message))
        const refused = expect(sessions.as(people[who], react(message, people[who]))).rejects.toThrow(
          'This message was unsent.',
        )
        await sessions.waitUntilBlocked(1)
        await unsending.commit()
        await refused
        expect(await reactions()).toEqual([])
      },
    )

    test('MSG-11 change before or after the unsending, and go with it', async () => {
      const first = await startWithMessage('r.change')
      await sessions.as(first.ben, react(first.message, first.ben))
      const changing = await holdAs(first.ben, change(first.message, first.ben))
      const unsending = sessions.as(first.ada, unsend(first.message))
      await sessions.waitUntilBlocked(1)
      await changing.commit()
      await unsending
      expect(await first.reactions()).toEqual([])

      const second = await startWithMessage('r.changed')
      await sessions.as(second.ben, react(second.message, second.ben))
      const unsent = await holdAs(second.ada, unsend(second.message))
      const late = sessions.as(second.ben, change(second.message, second.ben))
      await sessions.waitUntilBlocked(1)
      await unsent.commit()
      expect(await late).toHaveLength(0)
      expect(await second.reactions()).toEqual([])
    })

    test('MSG-11 of one member on two devices: the second is a conflict, and neither waits for ever', async () => {
      const { ben, message, reactions } = await startWithMessage('r.twice')
      const first = await holdAs(ben, react(message, ben))
      const second = expect(sessions.as(ben, react(message, ben))).rejects.toEqual(refusal('23505'))
      await sessions.waitUntilBlocked(1)
      await first.commit()
      await second
      expect(await reactions()).toHaveLength(1)
    })

    test('MSG-11 with a slow answer hold up neither unsending nor reading, and are refused then', async () => {
      const { ada, ben, id, message, reactions } = await startWithMessage('r.slow')
      const stalled = await stall(ben, react(message, ben))
      await atOnce(ben, (tx) => tx`update messages set read = true where conversation_id = ${id}`)
      await atOnce(ada, unsend(message))
      await expect(stalled.release()).rejects.toThrow('This message was unsent.')
      expect(await reactions()).toEqual([])
    })
  })

  test('MSG-04 two members who write in two conversations in opposite order do not wait for each other', async () => {
    const { ada, id } = await startConversation('j')
    const { id: other, ben } = await startConversation('i')
    await sessions.sql`update conversations set participant_2 = ${ada} where id = ${other}`
    await sessions.sql`update conversation_views set member_id = ${ada} where conversation_id = ${other} and member_id = ${ben}`
    const [low, high] = id < other ? [id, other] : [other, id]
    const blocker = await lock((tx) => tx`select from conversations where id = ${high} for update`)
    const write = (ids: string[]) =>
      sessions.sql.begin(
        (tx) => tx`insert into messages (conversation_id, sender_id, content)
          select c, ${ada}, 'hi' from unnest(${ids}::uuid[]) as c`,
      )
    const both = [write([low, high]), write([high, low])]
    await sessions.waitUntilBlocked(2)
    await blocker.commit()
    await Promise.all(both)
  })
})

test('PROF-11 a post that tags very many members takes locks of the first twenty: all sessions share their table', async () => {
  const author = await sessions.join('l.author')
  const names = Array.from({ length: 40 }, (_, number) => `l.${10 + number}`)
  const tagged: string[] = []
  for (const name of names) tagged.push(await sessions.join(name))
  const [first = '', last = ''] = [tagged[0], tagged.at(-1)]
  await sessions.as(last, block(author))
  const post = randomUUID()
  const [taken] = await sessions.as(author, async (tx) => {
    await publish(post, author, names.map((name) => `@${name}`).join(' '))(tx)
    return tx`
      select count(*)::integer as locks from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`
  })
  expect(taken?.locks).toBe(20)
  expect(
    await sessions.sql`select tagged_user_id from post_tags where post_id = ${post} order by tagged_user_id`,
  ).toEqual(
    tagged
      .filter((id) => id !== last)
      .sort()
      .map((id) => ({ tagged_user_id: id })),
  )
  // Who was notified is among those whose locks were taken.
  expect(await sessions.sql`select from notifications where user_id = ${first}`).toHaveLength(1)
})

test('no writer waits for a lock for all: the only advisory locks are those of two members, of one member’s privacy, receipts and changes of messages, and the try of settle()', async () => {
  expect(
    await sessions.sql`
      select p.proname as name from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prosrc ~ 'pg_(try_)?advisory'
      order by 1`,
  ).toEqual(
    [
      'await_follows',
      'await_pair',
      'edit_message',
      'finish_blocks',
      'hide_marks',
      'is_apart',
      'is_changing_privacy',
      'on_block',
      'settle_waiting',
      'shows_reading',
      'unsend_message',
    ].map((name) => ({ name })),
  )
})

test('members’ statements end after three seconds, except functions that delete what is their own', async () => {
  expect(
    await sessions.sql`
      select unnest(s.setconfig) as setting from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
      where r.rolname = 'authenticated'`,
  ).toEqual([{ setting: 'statement_timeout=3s' }])
  expect(
    await sessions.sql`
      select p.proname as name from pg_proc p
      where array_to_string(p.proconfig, ' ') ~ 'statement_timeout' order by 1`,
  ).toEqual([{ name: 'delete_account' }, { name: 'delete_comments' }, { name: 'delete_posts' }])
})

describe('the migration that makes rows of reactions', () => {
  const FIRST = '20261128041300'

  test('MSG-11 waits for who reacts, keeps all reactions, and meets no deadlock with who sends or deletes', async () => {
    const earlier = await openSessions(FIRST)
    onTestFinished(() => earlier.close())
    const [ada, ben] = [await earlier.join('m.ada'), await earlier.join('m.ben')]
    const [id, empty, old, fresh] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
    await earlier.sql`insert into conversations (id, participant_1, participant_2) values (${id}, ${ada}, ${ben})`
    const cleo = await earlier.join('m.cleo')
    await earlier.sql`insert into conversations (id, participant_1, participant_2) values (${empty}, ${ada}, ${cleo})`
    await earlier.sql`insert into messages (id, conversation_id, sender_id, content, sender_reaction, recipient_reaction)
      values (${old}, ${id}, ${ada}, 'old', '🔥', '😂'), (${fresh}, ${id}, ${ada}, 'new', null, null)`
    const sent = gate()
    const live = [
      // Has written to messages, and writes to conversations when the migration waits.
      earlier.as(ben, async (tx) => {
        await tx`update messages set recipient_reaction = '👍' where id = ${fresh}`
        await sent.opened
        await tx`insert into messages (conversation_id, sender_id, content) values (${id}, ${ben}, 'hi')`
      }),
      // Has locked conversations, and comes to messages.
      earlier.sql.begin(async (tx) => {
        await tx`delete from conversations where id = ${empty}`
        await sent.opened
        await tx`delete from messages where conversation_id = ${empty}`
      }),
    ]
    const migrations = (await readReplaced(MIGRATIONS)).filter(({ version }) => version >= FIRST)
    const upgrading = (async () => {
      for (const { sql } of migrations) await earlier.sql.unsafe(sql)
    })()
    await earlier.waitUntilBlocked(1)
    sent.open()
    await Promise.all([...live, upgrading])
    expect(
      await earlier.sql`select message_id, conversation_id, member_id, emoji from message_reactions order by emoji`,
    ).toEqual(
      expect.arrayContaining([
        { message_id: old, conversation_id: id, member_id: ada, emoji: '🔥' },
        { message_id: old, conversation_id: id, member_id: ben, emoji: '😂' },
        { message_id: fresh, conversation_id: id, member_id: ben, emoji: '👍' },
      ]),
    )
    expect(await earlier.sql`select from message_reactions`).toHaveLength(3)
  })
})
