import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ask,
  block,
  type Crowd,
  comment,
  die,
  follow,
  leave,
  like,
  nextAct,
  publish,
  setPrivate,
  share,
  unfollow,
  unlike,
  view,
} from './support/acts'
import { refusal } from './support/community'
import { findContradictions } from './support/contradictions'
import { hold, openSessions, type Sessions, type Tx } from './support/sessions'
import { REMOVED_BY_BLOCK, SWITCHES, TAKEN_BACK, type Target } from './support/turns'

let sessions: Sessions
beforeAll(async () => {
  sessions = await openSessions()
})
afterAll(() => sessions.close())

/** Holds open what a member has done and not yet committed. */
const holdAs = (member: string, work: (tx: Tx) => Promise<unknown>) =>
  hold((held) => sessions.as(member, held), work)
/** Holds a lock that stands in the way of others, to bring them into the order that a test is about. */
const lock = (work: (tx: Tx) => Promise<unknown>) => hold((held) => sessions.sql.begin(held), work)

/** Two members, the one whose id is lower first. */
async function joinTwo(name: string): Promise<[string, string]> {
  const [one, two] = [await sessions.join(`${name}.1`), await sessions.join(`${name}.2`)]
  return one < two ? [one, two] : [two, one]
}

/** A member with a post and a story. */
async function joinTarget(username: string, isPrivate = false): Promise<Target> {
  const target = { id: await sessions.join(username), username, post: randomUUID(), story: randomUUID() }
  await sessions.as(target.id, publish(target.post, target.id))
  await sessions.as(target.id, share(target.story, target.id))
  await sessions.as(target.id, setPrivate(target.id, isPrivate))
  return target
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

  test.each(SWITCHES)(
    'SET-04 a %s shared %s a switch to %s gets that audience',
    async (what, order, audience, insert, table) => {
      const ada = await sessions.join(`${what}.${order}.${audience}`)
      const isPrivate = audience === 'followers'
      await sessions.as(ada, setPrivate(ada, !isPrivate))
      const id = randomUUID()
      const [sharing, turning] = [insert(id, ada), setPrivate(ada, isPrivate)]
      const held = await holdAs(ada, order === 'before' ? sharing : turning)
      const waiting = sessions.as(ada, order === 'before' ? turning : sharing)
      await sessions.untilWaiting(1)
      await held.commit()
      await waiting
      expect(await sessions.sql`select audience from ${sessions.sql(table)} where id = ${id}`).toEqual([
        { audience },
      ])
    },
  )

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

  // Without turns, deleting locks the post and then what hangs on it, taking back the other way round.
  test.each(TAKEN_BACK.slice(0, 2))(
    'FEED-11 a post is deleted while a %s of it is taken back',
    async (what, _, give, take) => {
      const [ada, ben] = await joinTwo(`post.${what}`)
      const post = randomUUID()
      await sessions.as(ada, publish(post, ada))
      await sessions.as(ben, give(ben, post))
      const third = await lock((tx) => tx`select from posts where id = ${post} for no key update`)
      const deleting = sessions.as(ada, (tx) => tx`delete from posts where id = ${post}`)
      await sessions.untilWaiting(1)
      const taking = sessions.as(ben, take(ben))
      await sessions.untilWaiting(2)
      await third.commit()
      await Promise.all([deleting, taking])
      expect(await sessions.sql`select from posts where id = ${post}`).toEqual([])
    },
  )

  // Without turns, going public locks oneself and then the requesters, unfollowing both in the order of their ids.
  test('SET-04 a member goes public while they unfollow who asked to follow them', async () => {
    const [asks, turns] = await joinTwo('public')
    await sessions.as(turns, follow(turns, asks))
    await sessions.as(turns, setPrivate(turns, true))
    await sessions.as(asks, ask(asks, turns))
    const third = await lock((tx) => tx`select from follow_requests where requester_id = ${asks} for update`)
    const turning = sessions.as(turns, setPrivate(turns, false))
    await sessions.untilWaiting(1)
    const unfollowing = sessions.as(turns, unfollow(turns))
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

  test('SET-04 a member is asked while they go public: the request is accepted', async () => {
    const [shy, ben] = [await sessions.join('i.shy'), await sessions.join('i.ben')]
    await sessions.as(shy, setPrivate(shy, true))
    const asking = await holdAs(ben, ask(ben, shy))
    const turning = sessions.as(shy, setPrivate(shy, false))
    await sessions.untilWaiting(1)
    await asking.commit()
    await turning
    expect(await sessions.sql`select from follow_requests where target_id = ${shy}`).toEqual([])
    expect(await sessions.sql`select follower_id from follows where following_id = ${shy}`).toEqual([
      { follower_id: ben },
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

  test.each([
    ['follow', follow, false],
    ['ask to follow', ask, true],
  ] as const)('SAFE-01 a member is blocked while they %s: they are refused', async (what, act, isPrivate) => {
    const ben = await sessions.join(`refused.${what.length}.ben`)
    const ada = await joinTarget(`refused.${what.length}.ada`, isPrivate)
    const blocking = await holdAs(ada.id, block(ada.id, ben))
    const refused = expect(sessions.as(ben, act(ben, ada.id))).rejects.toEqual(refusal('PT404'))
    await sessions.untilWaiting(1)
    await blocking.commit()
    await refused
  })

  test.each(REMOVED_BY_BLOCK)(
    'SAFE-01 a member %s while they are blocked: the block removes it',
    async (_, table, act) => {
      const ben = await sessions.join(`${table}.ben`)
      const ada = await joinTarget(`${table}.ada`, table === 'follow_requests')
      const writing = await holdAs(ben, act(ben, ada))
      const blocking = sessions.as(ada.id, block(ada.id, ben))
      await sessions.untilWaiting(1)
      await writing.commit()
      await blocking
      const { sql } = sessions
      // Of these tables, only the rows of these two members name either of them.
      expect(await sql`select from ${sql(table)} t where strpos(t::text, ${ada.id}) > 0`).toEqual([])
      expect(await sql`select from ${sql(table)} t where strpos(t::text, ${ben}) > 0`).toEqual([])
      expect(await sql`select from notifications where user_id = ${ada.id}`).toEqual([])
      expect(await sql`select like_count + comment_count as left from posts where id = ${ada.post}`).toEqual([
        { left: 0 },
      ])
    },
  )

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

  // Without turns, deleting an account locks its profile and then what it counted on, taking back the other way round.
  test.each(TAKEN_BACK)(
    'SET-03 an account is deleted while a %s is taken back',
    async (what, table, give, take) => {
      const ben = await sessions.join(`leave.${what}.ben`)
      const ada = await joinTarget(`leave.${what}.ada`, what === 'request')
      await sessions.as(ben, give(ben, table === 'posts' ? ada.post : ada.id))
      const { sql } = sessions
      const third = await lock(
        (tx) => tx`select from ${sql(table)} where id in (${ada.id}, ${ada.post}) for update`,
      )
      const leaving = sessions.as(ada.id, leave())
      await sessions.untilWaiting(1)
      const taking = sessions.as(ben, take(ben))
      await sessions.untilWaiting(2)
      await third.commit()
      await Promise.all([leaving, taking])
      expect(await sql`select from profiles where id = ${ada.id}`).toEqual([])
      expect(await sql`select following_count from profiles where id = ${ben}`).toEqual([
        { following_count: 0 },
      ])
    },
  )

  test('SET-03 an account is deleted while its story is watched', async () => {
    const [ada, ben] = [await joinTarget('watched.ada'), await sessions.join('watched.ben')]
    // Stops the view after it has taken its turn and before it looks for the story.
    const third = await lock((tx) => tx`select from profiles where id = ${ben} for update`)
    const watching = sessions.as(ben, view(ben, ada.story))
    await sessions.untilWaiting(1)
    const leaving = sessions.as(ada.id, leave())
    await sessions.untilWaiting(2)
    await third.commit()
    await Promise.all([watching, leaving])
    expect(await sessions.sql`select from stories where id = ${ada.story}`).toEqual([])
    expect(await sessions.sql`select from story_views where viewer_id = ${ben}`).toEqual([])
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
    [ben, comment(ben, first)],
    [ben, unlike(ben)],
    [ben, follow(ben, ada)],
    [ben, unfollow(ben)],
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

/** Acts as one member after another: when one deletes their account, a newcomer takes their place. */
async function liveInCrowd(crowd: Crowd, seat: number, acts: number): Promise<Record<string, number>> {
  const throwDie = die(seat + 1)
  const outcomes: Record<string, number> = {}
  for (let act = 0; act < acts; act++) {
    const me = crowd.members[seat] ?? ''
    const leaves = throwDie(25) === 0
    const work = leaves ? leave() : nextAct(throwDie, me, crowd)
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

async function liveTogether(acts: number): Promise<void> {
  const crowd: Crowd = { members: [], posts: [], stories: [] }
  for (let seat = 0; seat < 10; seat++) crowd.members.push(await sessions.join(`crowd${acts}.${seat}`))
  const outcomes = await Promise.all(crowd.members.map((_, seat) => liveInCrowd(crowd, seat, acts)))
  expect(outcomes.flatMap(Object.keys).filter((outcome) => !EXPECTED.includes(outcome))).toEqual([])
  const done = outcomes.reduce((sum, outcome) => sum + (outcome.done ?? 0), 0)
  expect(done).toBeGreaterThan((acts * crowd.members.length) / 2)
  expect(await findContradictions(sessions)).toEqual({})
}

test('a crowd that does everything at once meets no deadlock, and every counter is right afterwards', () =>
  liveTogether(40))

test('a crowd of 1200 acts meets no deadlock, and every counter is right afterwards', { tags: 'long' }, () =>
  liveTogether(120),
)
