import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { like, publish, remove, setPrivate } from './actions'
import { findInconsistencies } from './inconsistencies'
import { hold, type Sessions, type Tx } from './sessions'

/** States of posts that change while their authors, other members and other operators write. */
export function describeConcurrentStates(open: () => Sessions): void {
  const setState = (post: string, state: string) => (tx: Tx) =>
    tx`select private.set_item_state('public.posts', ${[post]}::uuid[], ${state})`
  const holdState = (post: string, state: string) =>
    hold((work) => open().sql.begin(work), setState(post, state))
  const audienceOf = async (post: string) =>
    (await open().sql`select audience from posts where id = ${post}`)[0]?.audience

  async function joinWithPost(username: string): Promise<{ author: string; post: string }> {
    const author = await open().join(username)
    const post = randomUUID()
    await open().as(author, publish(post, author, 'Fog over the #weir'))
    return { author, post }
  }

  /** What is derived agrees, also after the state has been undone. */
  async function expectConsistent(author: string, post: string, audience: string): Promise<void> {
    expect(await findInconsistencies(open())).toEqual({})
    await open().sql.begin(setState(post, 'visible'))
    expect(await audienceOf(post)).toBe(audience)
    expect(await findInconsistencies(open())).toEqual({})
    expect(await open().sql`select topic from post_topics where post_id = ${post}`).toEqual([
      { topic: 'weir' },
    ])
    expect(
      await open().sql`select shown_post_count(p) as posts from profiles p where id = ${author}`,
    ).toEqual([{ posts: 1 }])
  }

  describe('a state of a post that changes at the same time', () => {
    test.each([
      ['before', true],
      ['before', false],
      ['after', true],
      ['after', false],
    ] as const)('SET-04 %s its author’s privacy becomes %s: it stays hidden', async (order, isPrivate) => {
      const { author, post } = await joinWithPost(`state.${order}.${isPrivate}`)
      await open().as(author, setPrivate(author, !isPrivate))
      const switching = () => open().as(author, setPrivate(author, isPrivate))
      if (order === 'before') {
        const hiding = await holdState(post, 'hidden')
        const waiting = switching()
        await open().waitUntilBlocked(1)
        await hiding.commit()
        await waiting
      } else {
        const held = await hold((work) => open().as(author, work), setPrivate(author, isPrivate))
        const waiting = open().sql.begin(setState(post, 'hidden'))
        await open().waitUntilBlocked(1)
        await held.commit()
        await waiting
      }
      expect(await audienceOf(post)).toBe('nobody')
      await expectConsistent(author, post, isPrivate ? 'followers' : 'public')
    })

    test('twice: the last one counts', async () => {
      const { author, post } = await joinWithPost('state.twice')
      const first = await holdState(post, 'hidden')
      const second = open().sql.begin(setState(post, 'warned'))
      await open().waitUntilBlocked(1)
      await first.commit()
      await second
      expect(await open().sql`select state, audience from posts where id = ${post}`).toEqual([
        { state: 'warned', audience: 'public' },
      ])
      await expectConsistent(author, post, 'public')
    })

    test('FEED-04 as a member likes the post: neither waits for long, and nothing is counted twice', async () => {
      const { author, post } = await joinWithPost('state.liked')
      const ben = await open().join('state.ben')
      const hiding = await holdState(post, 'hidden')
      await open().as(ben, like(ben, post))
      await hiding.commit()
      await open().sql`select private.settle_waiting()`
      await expectConsistent(author, post, 'public')
    })

    test('FEED-11 as its author deletes it', async () => {
      const { author, post } = await joinWithPost('state.deleted')
      const hiding = await holdState(post, 'hidden')
      const deleting = open().as(author, remove(post))
      await open().waitUntilBlocked(1)
      await hiding.commit()
      await deleting
      await open().workOff()
      expect(await findInconsistencies(open())).toEqual({})
      expect(
        await open().sql`select shown_post_count(p) as posts from profiles p where id = ${author}`,
      ).toEqual([{ posts: 0 }])
    })

    test('FEED-11 as its author edits it: what the edit brings is gone', async () => {
      const { author, post } = await joinWithPost('state.edited')
      const hiding = await holdState(post, 'hidden')
      const editing = open().as(
        author,
        (tx) => tx`update posts set content = 'Under the #weir, a #lock' where id = ${post}`,
      )
      await open().waitUntilBlocked(1)
      await hiding.commit()
      await editing
      expect(await open().sql`select topic from post_topics where post_id = ${post}`).toEqual([])
      await open().as(author, (tx) => tx`update posts set content = 'Under the #weir' where id = ${post}`)
      await expectConsistent(author, post, 'public')
    })
  })
}
