import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WATCH_RIGHTS_SQL } from '#/backend/database/setup-realtime'
import { markDemoMembers, seedDemo } from '#/backend/demo/seed-demo'
import { type EmptyCommunity, openEmptyCommunity } from '#tests/backend/demo/community'

let community: EmptyCommunity

beforeAll(async () => {
  community = await openEmptyCommunity()
})
afterAll(() => community.close())

async function signUp(username: string): Promise<void> {
  const id = randomUUID()
  await community.rows('insert into auth.users (id, email) values ($1, $2)', [
    id,
    `${username}@other.example`,
  ])
  await community.rows('insert into public.profiles (id, username) values ($1, $2)', [id, username])
}
const leave = (username: string) =>
  community.rows('delete from auth.users where id = (select id from public.profiles where username = $1)', [
    username,
  ])
const staff = async () =>
  (
    await community.rows<{ found: string }>(
      `select p.username || ' ' || s.role as found from private.staff s join public.profiles p on p.id = s.member_id order by 1`,
    )
  ).map(({ found }) => found)

test('the owner of an embedded server is its oldest account; without one a member of the demo, and on a hosted project nobody', async () => {
  // Without the triggers of the embedded server.
  await community.rows('drop trigger appoint_first on public.profiles')
  await signUp('early')
  expect(await staff()).toEqual([])
  await leave('early')

  await community.context.pg.exec(WATCH_RIGHTS_SQL)
  await seedDemo(community.context)
  expect(await staff()).toEqual(['mara owner'])

  await signUp('first')
  expect(await staff()).toEqual(['first owner'])
  await signUp('second')
  await signUp('third')
  await community.rows(`select private.appoint('second', 'moderator')`)
  expect(await staff()).toEqual(['first owner', 'second moderator'])
  await leave('first')
  expect(await staff()).toEqual(['second owner'])

  await community.rows(`select private.appoint('third', 'owner')`)
  await signUp('fourth')
  expect(await staff()).toEqual(['second moderator', 'third owner'])
  for (const username of ['third', 'second', 'fourth']) await leave(username)
  expect(await staff()).toEqual(['mara owner'])
})

test('a folder from before there were owners gets one: members of the demo are found by their address or username', async () => {
  const before = async (...usernames: string[]) => {
    await community.rows('delete from private.demo_members')
    await community.rows('delete from private.staff')
    for (const username of usernames) await signUp(username)
    // Signing up has appointed somebody: an earlier build did not.
    await community.rows('delete from private.staff')
    await markDemoMembers(community.context.pg)
  }
  await community.rows(`update public.profiles set username = 'renamed' where username = 'mara'`)
  await community.rows(`update auth.users set email = 'moved@other.example' where email = 'noor@example.com'`)
  await before()
  expect(await staff()).toEqual(['renamed owner'])
  await before('real')
  expect(await staff()).toEqual(['real owner'])
})
