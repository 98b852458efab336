import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, block, type Crowd, die, follow, like, nextAct, publish, setPrivate } from './support/acts'
import { refusal } from './support/community'
import { gate, openSessions, type Sessions, type Tx } from './support/sessions'

let sessions: Sessions
beforeAll(async () => {
  sessions = await openSessions()
})
afterAll(() => sessions.close())

interface Held {
  commit(): Promise<unknown>
}

/** Begins a transaction that does its work and then stays open until it is committed. */
async function hold(
  begin: (work: (tx: Tx) => Promise<void>) => Promise<unknown>,
  work: (tx: Tx) => Promise<unknown>,
): Promise<Held> {
  const [done, release] = [gate(), gate()]
  const ended = begin(async (tx) => {
    await work(tx)
    done.open()
    await release.opened
  })
  await Promise.race([done.opened, ended])
  return {
    commit: () => {
      release.open()
      return ended
    },
  }
}

/** What a member has begun and not yet finished. */
const holdAs = (member: string, work: (tx: Tx) => Promise<unknown>) =>
  hold((held) => sessions.as(member, held), work)
/** A lock that stands in the way of others, to bring them into the order that a test is about. */
const lock = (work: (tx: Tx) => Promise<unknown>) => hold((held) => sessions.sql.begin(held), work)

/** Two members, the one whose id is lower first. */
async function joinTwo(name: string): Promise<[string, string]> {
  const [one, two] = [await sessions.join(`${name}.1`), await sessions.join(`${name}.2`)]
  return one < two ? [one, two] : [two, one]
}

describe('at the same moment', () => {
  test('MSG-02 two members begin a conversation and have one', async () => {
    const [ada, ben] = [await sessions.join('m.ada'), await sessions.join('m.ben')]
    const begin = (one: string, two: string) => (tx: Tx) =>
      tx`insert into conversations (participant_1, participant_2) values (${one}, ${two})`
    const first = await holdAs(ada, begin(ada, ben))
    const second = sessions.as(ben, begin(ben, ada))
    const refused = expect(second).rejects.toEqual(refusal('23505'))
    await sessions.untilWaiting(1)
    await first.commit()
    await refused
    expect(await sessions.as(ben, (tx) => tx`select participant_1 from conversations`)).toEqual([
      { participant_1: ada },
    ])
  })

  test('AUTH-09 two newcomers take one username and one gets it', async () => {
    const [ada, ben] = [await sessions.join('u.ada'), await sessions.join('u.ben')]
    const take = (member: string) => (tx: Tx) =>
      tx`update profiles set username = 'u.wanted' where id = ${member}`
    const first = await holdAs(ada, take(ada))
    const refused = expect(sessions.as(ben, take(ben))).rejects.toEqual(refusal('23505'))
    await sessions.untilWaiting(1)
    await first.commit()
    await refused
  })

  test('SET-04 a member posts and turns private: the post is for followers', async () => {
    const ada = await sessions.join('p.ada')
    const post = randomUUID()
    const posting = await holdAs(ada, publish(post, ada))
    const turning = sessions.as(ada, setPrivate(ada, true))
    await sessions.untilWaiting(1)
    await posting.commit()
    await turning
    expect(await sessions.sql`select audience from posts where id = ${post}`).toEqual([
      { audience: 'followers' },
    ])
  })

  test('SET-04 a member turns private and is followed: the follower has to ask', async () => {
    const [ada, ben] = [await sessions.join('t.ada'), await sessions.join('t.ben')]
    const turning = await holdAs(ada, setPrivate(ada, true))
    const refused = expect(sessions.as(ben, follow(ben, ada))).rejects.toEqual(refusal('PT403'))
    await sessions.untilWaiting(1)
    await turning.commit()
    await refused
  })

  test('two members follow each other, and each is followed once', async () => {
    const [lower, higher] = await joinTwo('follow')
    const third = await lock((tx) => tx`select from profiles where id = ${higher} for no key update`)
    const one = sessions.as(higher, follow(higher, lower))
    const other = sessions.as(lower, follow(lower, higher))
    await sessions.untilWaiting(2)
    await third.commit()
    await Promise.all([one, other])
    expect(
      await sessions.sql`
        select follower_count, following_count from profiles where id in (${lower}, ${higher})`,
    ).toEqual([
      { follower_count: 1, following_count: 1 },
      { follower_count: 1, following_count: 1 },
    ])
  })

  // Without turns, deleting locks the post and then its likes, unliking the like and then its post.
  test('FEED-11 a post is deleted while a like of it is taken back', async () => {
    const [ada, ben] = await joinTwo('unlike')
    const post = randomUUID()
    await sessions.as(ada, publish(post, ada))
    await sessions.as(ben, like(ben, post))
    const third = await lock((tx) => tx`select from posts where id = ${post} for no key update`)
    const deleting = sessions.as(ada, (tx) => tx`delete from posts where id = ${post}`)
    await sessions.untilWaiting(1)
    const unliking = sessions.as(ben, (tx) => tx`delete from likes where post_id = ${post}`)
    await sessions.untilWaiting(2)
    await third.commit()
    await Promise.all([deleting, unliking])
    expect(await sessions.sql`select from posts where id = ${post}`).toEqual([])
  })

  // Without turns, going public locks oneself and then the requesters, unfollowing both in the order of their ids.
  test('SET-04 a member goes public while they unfollow who asked to follow them', async () => {
    const [asks, turns] = await joinTwo('public')
    await sessions.as(turns, follow(turns, asks))
    await sessions.as(turns, setPrivate(turns, true))
    await sessions.as(asks, ask(asks, turns))
    const third = await lock((tx) => tx`select from follow_requests where requester_id = ${asks} for update`)
    const turning = sessions.as(turns, setPrivate(turns, false))
    await sessions.untilWaiting(1)
    const unfollowing = sessions.as(turns, (tx) => tx`delete from follows where follower_id = ${turns}`)
    await sessions.untilWaiting(2)
    await third.commit()
    await Promise.all([turning, unfollowing])
    expect(
      await sessions.sql`select follower_count, following_count from profiles where id = ${turns}`,
    ).toEqual([{ follower_count: 1, following_count: 0 }])
  })

  // Without their own turn, going public locks oneself and then the request, letting in the request and then oneself.
  test('SET-04 a member lets somebody in on one device while they go public on another', async () => {
    const [shy, ben] = [await sessions.join('l.shy'), await sessions.join('l.ben')]
    await sessions.as(shy, setPrivate(shy, true))
    await sessions.as(ben, ask(ben, shy))
    const third = await lock((tx) => tx`select from follow_requests where target_id = ${shy} for update`)
    const accepting = sessions.as(shy, (tx) => tx`select accept_follow_request(${ben})`)
    await sessions.untilWaiting(1)
    const turning = sessions.as(shy, setPrivate(shy, false))
    await sessions.untilWaiting(2)
    await third.commit()
    await Promise.all([accepting, turning])
    expect(await sessions.sql`select from follow_requests where target_id = ${shy}`).toEqual([])
    expect(await sessions.sql`select is_private, follower_count from profiles where id = ${shy}`).toEqual([
      { is_private: false, follower_count: 1 },
    ])
    expect(await sessions.sql`select about from notifications where user_id = ${ben}`).toEqual([
      { about: 'follow_accepted' },
    ])
  })

  test('SET-04 a member goes public and is asked: there is nothing to ask for any more', async () => {
    const [shy, ben] = [await sessions.join('a.shy'), await sessions.join('a.ben')]
    await sessions.as(shy, setPrivate(shy, true))
    const turning = await holdAs(shy, setPrivate(shy, false))
    const refused = expect(sessions.as(ben, ask(ben, shy))).rejects.toEqual(refusal('PT409'))
    await sessions.untilWaiting(1)
    await turning.commit()
    await refused
  })

  test('SAFE-01 a member is blocked while they follow: the follow is refused', async () => {
    const [ada, ben] = [await sessions.join('b.ada'), await sessions.join('b.ben')]
    const blocking = await holdAs(ada, block(ada, ben))
    const refused = expect(sessions.as(ben, follow(ben, ada))).rejects.toEqual(refusal('PT404'))
    await sessions.untilWaiting(1)
    await blocking.commit()
    await refused
  })

  test('SAFE-01 a member follows while they are blocked: the follow ends', async () => {
    const [ada, ben] = [await sessions.join('f.ada'), await sessions.join('f.ben')]
    const following = await holdAs(ben, follow(ben, ada))
    const blocking = sessions.as(ada, block(ada, ben))
    await sessions.untilWaiting(1)
    await following.commit()
    await blocking
    expect(await sessions.sql`select from follows where follower_id = ${ben}`).toEqual([])
    expect(await sessions.sql`select follower_count from profiles where id = ${ada}`).toEqual([
      { follower_count: 0 },
    ])
    expect(await sessions.sql`select from notifications where user_id = ${ada}`).toEqual([])
  })

  // Without turns, deleting an account locks its profile and then what it counted on, unliking the other way round.
  test('SET-03 an account is deleted while a like of its post is taken back', async () => {
    const [ada, ben] = await joinTwo('leave')
    const post = randomUUID()
    await sessions.as(ada, publish(post, ada))
    await sessions.as(ben, like(ben, post))
    const third = await lock((tx) => tx`select from posts where id = ${post} for no key update`)
    const leaving = sessions.as(ada, (tx) => tx`select delete_account()`)
    await sessions.untilWaiting(1)
    const unliking = sessions.as(ben, (tx) => tx`delete from likes where post_id = ${post}`)
    await sessions.untilWaiting(2)
    await third.commit()
    await Promise.all([leaving, unliking])
    expect(await sessions.sql`select from profiles where id = ${ada}`).toEqual([])
  })
})

/** What a member can do again and again, at no cost to themselves. */
const REPEATABLE: [string, (me: string, other: string) => (tx: Tx) => Promise<unknown>][] = [
  ['switches privacy', (me) => setPrivate(me, true)],
  ['switches to what they are', (me) => setPrivate(me, false)],
  ['switches the privacy of nobody', () => setPrivate(randomUUID(), true)],
  ['deletes no post', () => (tx) => tx`delete from posts where id = ${randomUUID()}`],
  ['deletes posts of another', (_, other) => (tx) => tx`delete from posts where user_id = ${other}`],
]

/** Members share turns, though few do: joins one who does not share with `other`. */
async function joinApart(name: string, other: string): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    const id = await sessions.join(`${name}.${attempt}`)
    const turns = await sessions.sql`
      select distinct hashtext(id) & 63 from unnest(${[id, other]}::text[]) as id`
    if (turns.length === 2) return id
  }
}

test.each(REPEATABLE)('SET-04 FEED-11 a member who %s keeps nobody else waiting', async (what, act) => {
  const name = what.replaceAll(' ', '_').slice(0, 20)
  const eve = await sessions.join(`${name}.eve`)
  const [ada, ben] = [await joinApart(`${name}.ada`, eve), await joinApart(`${name}.ben`, eve)]
  const [first, second] = [randomUUID(), randomUUID()]
  await sessions.as(ada, publish(first, ada))
  const held = await holdAs(eve, act(eve, ada))
  const writes: [string, (tx: Tx) => Promise<unknown>][] = [
    [ben, like(ben, first)],
    [ben, (tx) => tx`insert into comments (user_id, post_id, content) values (${ben}, ${first}, 'hm')`],
    [ben, (tx) => tx`delete from likes where user_id = ${ben}`],
    [ben, follow(ben, ada)],
    [ben, (tx) => tx`delete from follows where follower_id = ${ben}`],
    [ada, setPrivate(ada, true)],
    [ben, ask(ben, ada)],
    [ada, (tx) => tx`select accept_follow_request(${ben})`],
    [ada, publish(second, ada)],
  ]
  try {
    for (const [member, write] of writes) {
      await sessions.as(member, async (tx) => {
        // Only what waits takes any of this.
        await tx`set local lock_timeout = '10s'`
        await write(tx)
      })
    }
  } finally {
    await held.commit()
  }
  expect(await sessions.sql`select follower_count, post_count from profiles where id = ${ada}`).toEqual([
    { follower_count: 1, post_count: 2 },
  ])
})

const ACTS = 120

/** Acts as one member after another: when one deletes their account, a newcomer takes their place. */
async function liveInCrowd(crowd: Crowd, seat: number): Promise<Record<string, number>> {
  const throwDie = die(seat + 1)
  const outcomes: Record<string, number> = {}
  for (let act = 0; act < ACTS; act++) {
    const me = crowd.members[seat] ?? ''
    const leaves = throwDie(25) === 0
    const work = leaves ? (tx: Tx) => tx`select delete_account()` : nextAct(throwDie, me, crowd)
    const outcome = await sessions.as(me, work).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    if (leaves) crowd.members[seat] = await sessions.join(`crowd.${seat}`)
  }
  return outcomes
}

/** SQLSTATEs that a crowd may meet: rows that others made or removed meanwhile, and our own refusals. */
const EXPECTED = ['done', '23503', '23505', '42501', 'PT403', 'PT404', 'PT409']

test('a crowd that does everything at once meets no deadlock, and every counter is right afterwards', async () => {
  const crowd: Crowd = { members: [], posts: [] }
  for (let seat = 0; seat < 10; seat++) crowd.members.push(await sessions.join(`crowd.${seat}`))
  const outcomes = await Promise.all(crowd.members.map((_, seat) => liveInCrowd(crowd, seat)))
  expect(outcomes.flatMap(Object.keys).filter((outcome) => !EXPECTED.includes(outcome))).toEqual([])
  const done = outcomes.reduce((sum, outcome) => sum + (outcome.done ?? 0), 0)
  expect(done).toBeGreaterThan((ACTS * crowd.members.length) / 2)
  expect(
    await sessions.sql`
      select p.username from profiles p
      where p.post_count <> (select count(*) from posts where user_id = p.id)
        or p.follower_count <> (select count(*) from follows where following_id = p.id)
        or p.following_count <> (select count(*) from follows where follower_id = p.id)`,
  ).toEqual([])
  expect(
    await sessions.sql`
      select p.id from posts p join profiles a on a.id = p.user_id
      where p.like_count <> (select count(*) from likes where post_id = p.id)
        or p.comment_count <> (select count(*) from comments where post_id = p.id)
        or p.audience <> case when a.is_private then 'followers' else 'public' end`,
  ).toEqual([])
  expect(
    await sessions.sql`
      select from blocks b join follows f
        on (f.follower_id, f.following_id) in ((b.blocker_id, b.blocked_id), (b.blocked_id, b.blocker_id))`,
  ).toEqual([])
  expect(
    await sessions.sql`
      select n.id from notifications n
      where (n.type = 'like' and not exists (select from likes where post_id = n.post_id and user_id = n.actor_id))
        or (n.type = 'follow'
          and not exists (select from follows where follower_id = n.actor_id and following_id = n.user_id))
        or (n.about = 'follow_request'
          and not exists (select from follow_requests where requester_id = n.actor_id and target_id = n.user_id))
        or (n.about = 'follow_accepted'
          and not exists (select from follows where follower_id = n.user_id and following_id = n.actor_id))
        or (n.type = 'other' and n.about is null)`,
  ).toEqual([])
})
