import { describe, expect, test } from 'vitest'
import { openCommunity } from './support/community'

const { community, ada, ben } = await openCommunity('ada', 'ben')
await community.join('b.e_n')

async function taggedIn(post: string): Promise<unknown[]> {
  const rows = await community.sql`
    select p.username from post_tags t join profiles p on p.id = t.tagged_user_id
     where t.post_id = ${post} order by p.username`
  return rows.map((row) => row.username)
}

const edit = (post: string, content: string) =>
  community.as(ada)`update posts set content = ${content} where id = ${post}`

describe('PROF-11 @username', () => {
  test.each([
    ['@ben', ['ben']],
    ['with @ben, @ada and @b.e_n.', ['ada', 'b.e_n', 'ben']],
    ['(@BEN)\n“@Ada”', ['ada', 'ben']],
    ['thank you @ben…', ['ben']],
    ['@ben @ben @ben', ['ben']],
    ['@ben’s garden', ['ben']],
    ['你好@ben', ['ben']],
    ['@bens and @be', []],
    ['write to ben@ben.example or x@ben', []],
    ['@ben@example.social', []],
    ['https://example.com/@ben', []],
    ['@@ben', []],
    ['@.ben', []],
    ['ben', []],
  ])('in %j tags %j', async (content, expected) => {
    expect(await taggedIn(await community.post(ada, content))).toEqual(expected)
  })

  test('an edit adds tags for added usernames and removes tags for removed ones', async () => {
    const post = await community.post(ada, 'with @ben')
    await edit(post, 'with @b.e_n')
    expect(await taggedIn(post)).toEqual(['b.e_n'])
    await edit(post, 'alone')
    expect(await taggedIn(post)).toEqual([])
  })

  test('a tag that its member removed is not added again while the username stays in the text', async () => {
    const post = await community.post(ada, 'with @ben')
    await community.as(ben)`delete from post_tags where post_id = ${post}`
    await edit(post, 'still with @ben')
    expect(await taggedIn(post)).toEqual([])
  })

  test('a tag stays when its member changes the username', async () => {
    const fay = await community.join('fay')
    const post = await community.post(ada, 'with @fay')
    await community.as(fay)`update profiles set username = 'fay.new' where id = ${fay}`
    await edit(post, 'still with @fay')
    expect(await taggedIn(post)).toEqual(['fay.new'])
  })

  test('a former username creates no tag, and an edit that removes it also removes the tag it created', async () => {
    const eve = await community.join('eve')
    const post = await community.post(ada, 'with @eve and @ben')
    await community.as(eve)`update profiles set username = 'eve.new' where id = ${eve}`
    expect(await taggedIn(await community.post(ada, 'again with @eve'))).toEqual([])
    await edit(post, 'with @ben, @eve and @eve.new')
    expect(await taggedIn(post)).toEqual(['ben', 'eve.new'])
    await edit(post, 'with @ben and @eve.new')
    expect(await taggedIn(post)).toEqual(['ben', 'eve.new'])
    const other = await community.post(ada, 'with @eve.new')
    await community.as(eve)`update profiles set username = 'eve.newer' where id = ${eve}`
    await edit(other, 'alone')
    expect(await taggedIn(other)).toEqual([])
  })

  test('a post of a private account tags only its followers', async () => {
    const shy = await community.join('shy', { isPrivate: true })
    await community.as(ben)`insert into follow_requests (requester_id, target_id) values (${ben}, ${shy})`
    await community.as(shy)`select accept_follow_request(${ben})`
    expect(await taggedIn(await community.post(shy, '@ben @ada @shy'))).toEqual(['ben', 'shy'])
  })
})
