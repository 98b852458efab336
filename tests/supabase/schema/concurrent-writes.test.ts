import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ask,
  block,
  type Crowd,
  comment,
  follow,
  leave,
  like,
  nextAction,
  publish,
  remove,
  seededRandom,
  setPrivate,
  share,
  unfollow,
  unlike,
  view,
} from './support/actions'
import { refusal } from './support/community'
import { describeConcurrentMedia } from './support/concurrent-media'
import { describeConcurrentStates } from './support/concurrent-states'
import { REMOVED_BY_BLOCK, SWITCHES, type Target, UNDONE_WRITES } from './support/concurrent-writes'
import { findInconsistencies } from './support/inconsistencies'
import { hold, openSessions, type Sessions, type Tx } from './support/sessions'

let sessions: Sessions
beforeAll(async () => {
  sessions = await openSessions()
  // The tests decide what comes first, however long that takes. locks.test.ts tests the limit.
  await sessions.sql`
    create or replace function private.give_way() returns void language sql set search_path = ''
    as 'select pg_sleep(0.02 + 0.08 * random())'`
})
afterAll(() => sessions.close())

/** Runs a member's statement in a transaction that stays open. */
const holdAs = (member: string, work: (tx: Tx) => Promise<unknown>) =>
  hold((held) => sessions.as(member, held), work)
/** Holds a lock that blocks other transactions, to force the order that a test needs. */
const lock = (work: (tx: Tx) => Promise<unknown>) => hold((held) => sessions.sql.begin(held), work)

/** Adds up what writers left, as an app does a second after its like. */
const settle = () => sessions.sql`select private.settle_waiting()`

/** Creates two members and returns the one with the lower id first. */
async function joinTwo(name: string): Promise<[string, string]> {
  const [one, two] = [await sessions.join(`${name}.1`), await sessions.join(`${name}.2`)]
  return one < two ? [one, two] : [two, one]
}

/** Creates a member with a post and a story. */
async function joinTarget(username: string, isPrivate = false): Promise<Target> {
  const target = { id: await sessions.join(username), username, post: randomUUID(), story: randomUUID() }
  await sessions.as(target.id, publish(target.post, target.id))
  await sessions.as(target.id, share(target.story, target.id))
  await sessions.as(target.id, setPrivate(target.id, isPrivate))
  return target
}

describeConcurrentMedia(() => sessions)
describeConcurrentStates(() => sessions)

describe('concurrent writes', () => {
  test('MSG-02 two members start one conversation with each other and get a single one', async () => {
    const [ada, ben] = [await sessions.join('m.ada'), await sessions.join('m.ben')]
    const start = (one: string, two: string) => (tx: Tx) =>
      tx`insert into conversations (participant_1, participant_2) values (${one}, ${two})`
    const first = await holdAs(ada, start(ada, ben))
    const second = sessions.as(ben, start(ben, ada))
    const refused = expect(second).rejects.toEqual(refusal('23505'))
    await sessions.waitUntilBlocked(1)
    await first.commit()
    await refused
    expect(await sessions.as(ben, (tx) => tx`select participant_1 from conversations`)).toEqual([
      { participant_1: ada },
    ])
  })

  test('AUTH-09 of two members who choose the same username, one gets it', async () => {
    const [ada, ben] = [await sessions.join('u.ada'), await sessions.join('u.ben')]
    const take = (member: string) => (tx: Tx) =>
      tx`update profiles set username = 'u.wanted' where id = ${member}`
    const first = await holdAs(ada, take(ada))
    const refused = expect(sessions.as(ben, take(ben))).rejects.toEqual(refusal('23505'))
    await sessions.waitUntilBlocked(1)
    await first.commit()
    await refused
  })

  test.each(SWITCHES)(
    'SET-04 a %s shared %s a switch to %s gets the new audience',
    async (what, order, audience, insert, table) => {
      const ada = await sessions.join(`${what}.${order}.${audience}`)
      const isPrivate = audience === 'followers'
      await sessions.as(ada, setPrivate(ada, !isPrivate))
      const id = randomUUID()
      const [sharing, switching] = [insert(id, ada), setPrivate(ada, isPrivate)]
      const held = await holdAs(ada, order === 'before' ? sharing : switching)
      const waiting = sessions.as(ada, order === 'before' ? switching : sharing)
      await sessions.waitUntilBlocked(1)
      await held.commit()
      await waiting
      expect(await sessions.sql`select audience from ${sessions.sql(table)} where id = ${id}`).toEqual([
        { audience },
      ])
    },
  )

  test('SET-04 a follow of a member who becomes private is rejected', async () => {
    const [ada, ben] = [await sessions.join('t.ada'), await sessions.join('t.ben')]
    const switching = await holdAs(ada, setPrivate(ada, true))
    await expect(sessions.as(ben, follow(ben, ada))).rejects.toEqual(refusal('PT403'))
    await switching.commit()
  })

  test('FEED-16 members who use the same new hashtags at once do not wait for each other', async () => {
    const [ada, ben] = [await sessions.join('w.ada'), await sessions.join('w.ben')]
    const first = await holdAs(ada, publish(randomUUID(), ada, '#tarn #scree'))
    await sessions.as(ben, async (tx) => {
      // Only a blocked statement waits.
      await tx`set local lock_timeout = '10s'`
      await publish(randomUUID(), ben, '#scree #tarn')(tx)
    })
    await first.commit()
    expect(await sessions.as(ada, (tx) => tx`select label from search_topics('#tarn')`)).toEqual([
      { label: 'tarn' },
    ])
  })

  test('FEED-16 a hashtag of a post that is being written survives the cleanup', async () => {
    const [ada, ben] = [await sessions.join('v.ada'), await sessions.join('v.ben')]
    const last = randomUUID()
    await sessions.as(ada, publish(last, ada, '#drumlin'))
    await sessions.as(ada, remove(last))
    const writing = await holdAs(ben, publish(randomUUID(), ben, '#drumlin'))
    const clean = () => sessions.sql`select private.cleanup(100) as removed`
    expect(await clean()).toEqual([{ removed: 0 }])
    await writing.commit()
    expect(await clean()).not.toEqual([{ removed: 0 }])
    expect(await sessions.as(ada, (tx) => tx`select label from search_topics('drum')`)).toEqual([
      { label: 'drumlin' },
    ])
  })

  test('two members who follow each other have one follower each', async () => {
    const [lower, higher] = await joinTwo('follow')
    const one = await holdAs(higher, follow(higher, lower))
    await sessions.as(lower, follow(lower, higher))
    await one.commit()
    await settle()
    expect(
      await sessions.sql`
        select follower_count, following_count from profiles where id in (${lower}, ${higher})`,
    ).toEqual([
      { follower_count: 1, following_count: 1 },
      { follower_count: 1, following_count: 1 },
    ])
  })

  // Deleting locks the post before its rows, and undoing locks them in reverse order: if it waited for them, a deadlock.
  test.each(UNDONE_WRITES.slice(0, 2))(
    'FEED-11 a post is deleted while its %s is undone',
    async (what, _, give, take) => {
      const [ada, ben] = await joinTwo(`post.${what}`)
      const post = randomUUID()
      await sessions.as(ada, publish(post, ada))
      await sessions.as(ben, give(ben, post))
      const blocker = await lock((tx) => tx`select from posts where id = ${post} for no key update`)
      const deleting = sessions.as(ada, remove(post))
      await sessions.waitUntilBlocked(1)
      await sessions.as(ben, take(ben))
      await blocker.commit()
      await deleting
      expect(await sessions.as(ada, (tx) => tx`select from posts where id = ${post}`)).toEqual([])
      await sessions.workOff()
      expect(await findInconsistencies(sessions)).toEqual({})
      await settle()
      expect(await sessions.sql`select from posts where id = ${post}`).toEqual([])
      await settle()
      expect(await sessions.sql`select from private.count_changes`).toEqual([])
    },
  )

  /** Starts a switch to public that holds the member's row until `commit`, because somebody holds one of their posts. */
  async function switchSlowly(member: string) {
    const post = randomUUID()
    await sessions.as(member, publish(post, member))
    const blocker = await lock((tx) => tx`select from posts where id = ${post} for no key update`)
    const switching = sessions.as(member, setPrivate(member, false))
    await sessions.waitUntilBlocked(1)
    return { switching, blocker }
  }

  test('SET-04 a member goes public while unfollowing a member who requested to follow them', async () => {
    const [asks, turns] = await joinTwo('public')
    await sessions.as(turns, follow(turns, asks))
    await sessions.as(turns, setPrivate(turns, true))
    await sessions.as(asks, ask(asks, turns))
    const { switching, blocker } = await switchSlowly(turns)
    await sessions.as(turns, unfollow(turns))
    await blocker.commit()
    await switching
    await sessions.sql`select private.cleanup(10)`
    await settle()
    expect(
      await sessions.sql`select follower_count, following_count from profiles where id = ${turns}`,
    ).toEqual([{ follower_count: 1, following_count: 0 }])
  })

  // Going public locks the member before the request, and accepting locks them in reverse order.
  test.each(['before', 'after'])(
    'SET-04 a member accepts a request on one device %s going public on another',
    async (order) => {
      const [shy, ben] = [await sessions.join(`l.${order}.shy`), await sessions.join(`l.${order}.ben`)]
      await sessions.as(shy, setPrivate(shy, true))
      await sessions.as(ben, ask(ben, shy))
      const accept = () => sessions.as(shy, (tx) => tx`select accept_follow_request(${ben})`)
      if (order === 'after') {
        const { switching, blocker } = await switchSlowly(shy)
        await accept()
        await blocker.commit()
        await switching
        await settle()
      } else {
        const blocker = await lock(
          (tx) => tx`select from follow_requests where target_id = ${shy} for update`,
        )
        const accepting = accept()
        await sessions.waitUntilBlocked(1)
        await sessions.as(shy, setPrivate(shy, false))
        await blocker.commit()
        await accepting
      }
      expect(await sessions.sql`select from follow_requests where target_id = ${shy}`).toEqual([])
      expect(await sessions.sql`select is_private, follower_count from profiles where id = ${shy}`).toEqual([
        { is_private: false, follower_count: 1 },
      ])
      expect(await sessions.sql`select about from notifications where user_id = ${ben}`).toEqual([
        { about: 'follow_accepted' },
      ])
    },
  )

  test('SET-04 a request during the switch to public is accepted', async () => {
    const [shy, ben] = [await sessions.join('i.shy'), await sessions.join('i.ben')]
    await sessions.as(shy, setPrivate(shy, true))
    const requesting = await holdAs(ben, ask(ben, shy))
    const switching = sessions.as(shy, setPrivate(shy, false))
    await sessions.waitUntilBlocked(1)
    await requesting.commit()
    await switching
    expect(await sessions.sql`select from follow_requests where target_id = ${shy}`).toEqual([])
    expect(await sessions.sql`select follower_id from follows where following_id = ${shy}`).toEqual([
      { follower_id: ben },
    ])
  })

  test('SET-04 a request after the switch to public is rejected', async () => {
    const [shy, ben] = [await sessions.join('a.shy'), await sessions.join('a.ben')]
    await sessions.as(shy, setPrivate(shy, true))
    const switching = await holdAs(shy, setPrivate(shy, false))
    await expect(sessions.as(ben, ask(ben, shy))).rejects.toEqual(refusal('PT409'))
    await switching.commit()
  })

  test.each(REMOVED_BY_BLOCK)(
    'SAFE-01 a block removes the row of a member who %s at the same time',
    async (_, table, act) => {
      const ben = await sessions.join(`${table}.ben`)
      const ada = await joinTarget(`${table}.ada`, table === 'follow_requests')
      const writing = await holdAs(ben, act(ben, ada))
      const blocking = sessions.as(ada.id, block(ben))
      await sessions.waitUntilBlocked(1)
      await writing.commit()
      await blocking
      const { sql } = sessions
      // In these tables, only rows of these two members contain their ids.
      expect(await sql`select from ${sql(table)} t where strpos(t::text, ${ada.id}) > 0`).toEqual([])
      expect(await sql`select from ${sql(table)} t where strpos(t::text, ${ben}) > 0`).toEqual([])
      expect(await sql`select from notifications where user_id = ${ada.id}`).toEqual([])
      expect(await sql`select like_count + comment_count as left from posts where id = ${ada.post}`).toEqual([
        { left: 0 },
      ])
    },
  )

  test('SAFE-01 a block removes a concurrent follow', async () => {
    const [ada, ben] = [await sessions.join('f.ada'), await sessions.join('f.ben')]
    const following = await holdAs(ben, follow(ben, ada))
    const blocking = sessions.as(ada, block(ben))
    await sessions.waitUntilBlocked(1)
    await following.commit()
    await blocking
    expect(await sessions.sql`select from follows where follower_id = ${ben}`).toEqual([])
    expect(await sessions.sql`select follower_count from profiles where id = ${ada}`).toEqual([
      { follower_count: 0 },
    ])
    expect(await sessions.sql`select from notifications where user_id = ${ada}`).toEqual([])
  })

  // Deleting an account locks its profile before its rows, and undoing locks them in reverse order: if it waited for them, a deadlock.
  test.each(UNDONE_WRITES)(
    'SET-03 an account is deleted while a %s is undone',
    async (what, table, give, take) => {
      const ben = await sessions.join(`leave.${what}.ben`)
      const ada = await joinTarget(`leave.${what}.ada`, what === 'request')
      await sessions.as(ben, give(ben, table === 'posts' ? ada.post : ada.id))
      const { sql } = sessions
      const blocker = await lock(
        (tx) => tx`select from ${sql(table)} where id in (${ada.id}, ${ada.post}) for update`,
      )
      const taking = sessions.as(ben, take(ben))
      // Only what refers to the account waits for it.
      if (table === 'posts') await taking
      else await sessions.waitUntilBlocked(1)
      await sessions.as(ada.id, leave())
      expect(await sessions.as(ben, (tx) => tx`select from profiles where id = ${ada.id}`)).toEqual([])
      await blocker.commit()
      await taking
      await sessions.workOff()
      await settle()
      expect(await sql`select from profiles where id = ${ada.id}`).toEqual([])
      expect(await sql`select following_count from profiles where id = ${ben}`).toEqual([
        { following_count: 0 },
      ])
    },
  )

  test('SET-03 an account is deleted while its story is viewed', async () => {
    const [ada, ben] = [await joinTarget('watched.ada'), await sessions.join('watched.ben')]
    // The view has its row, and waits before it refers to the story.
    const blocker = await lock((tx) => tx`select from profiles where id = ${ben} for update`)
    const watching = expect(sessions.as(ben, view(ben, ada.story))).rejects.toEqual(refusal('23503'))
    await sessions.waitUntilBlocked(1)
    await sessions.as(ada.id, leave())
    await blocker.commit()
    await watching
    expect(await sessions.sql`select from stories where id = ${ada.story}`).toEqual([])
    expect(await sessions.sql`select from story_views where viewer_id = ${ben}`).toEqual([])
  })
})

/** Actions that a member can repeat without limit. */
const REPEATABLE_ACTIONS: [string, (me: string, other: string) => (tx: Tx) => Promise<unknown>][] = [
  ['unlikes what they do not like', (me) => unlike(me)],
  ['unfollows who they do not follow', (me) => unfollow(me)],
  ['switches privacy', (me) => setPrivate(me, true)],
  ['switches to what they are', (me) => setPrivate(me, false)],
  ['switches the privacy of nobody', () => setPrivate(randomUUID(), true)],
  ['deletes a post that does not exist', () => remove(randomUUID())],
]

test.each(REPEATABLE_ACTIONS)(
  'SET-04 FEED-11 a member who %s does not block other members',
  async (what, act) => {
    const name = what.replaceAll(' ', '_').slice(0, 20)
    const eve = await sessions.join(`${name}.eve`)
    const [ada, ben] = [await sessions.join(`${name}.ada`), await sessions.join(`${name}.ben`)]
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
          // Only a blocked statement waits.
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
  },
)

/** Performs random actions as a member; a new member takes over when the account is deleted. */
async function actInCrowd(crowd: Crowd, seat: number, acts: number): Promise<Record<string, number>> {
  const random = seededRandom(seat + 1)
  const outcomes: Record<string, number> = {}
  for (let act = 0; act < acts; act++) {
    const me = crowd.members[seat] ?? ''
    const leaves = random(25) === 0
    const work = leaves ? leave() : nextAction(random, me, crowd)
    const outcome = await sessions.as(me, work).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    // The username of the deleted account is held.
    if (leaves) crowd.members[seat] = await sessions.join(`crowd${acts}.${seat}.${act}`)
  }
  return outcomes
}

/** Expected SQLSTATEs: conflicts with concurrent changes, and the errors of our own functions. */
const EXPECTED_OUTCOMES = ['done', '23503', '23505', '42501', 'PT403', 'PT404', 'PT409']

async function runCrowd(acts: number): Promise<void> {
  const crowd: Crowd = { members: [], posts: [], stories: [] }
  for (let seat = 0; seat < 10; seat++) crowd.members.push(await sessions.join(`crowd${acts}.${seat}`))
  const outcomes = await Promise.all(crowd.members.map((_, seat) => actInCrowd(crowd, seat, acts)))
  expect(outcomes.flatMap(Object.keys).filter((outcome) => !EXPECTED_OUTCOMES.includes(outcome))).toEqual([])
  const done = outcomes.reduce((sum, outcome) => sum + (outcome.done ?? 0), 0)
  expect(done).toBeGreaterThan((acts * crowd.members.length) / 2)
  // What members held at the same moment.
  await sessions.sql`select private.cleanup(1000)`
  // The counters are right before what waits is added up, and after it.
  expect(await findInconsistencies(sessions)).toEqual({})
  await settle()
  expect(await sessions.sql`select from private.count_changes`).toEqual([])
  expect(await findInconsistencies(sessions)).toEqual({})
  // The next crowd starts without them.
  for (const member of crowd.members) await sessions.as(member, leave())
}

test('a crowd of concurrent members causes no deadlock and leaves every counter right', () => runCrowd(40))

test('1,200 concurrent actions cause no deadlock and leave every counter right', { tags: 'long' }, () =>
  runCrowd(120),
)
