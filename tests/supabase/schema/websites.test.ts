import { beforeAll, describe, expect, test } from 'vitest'
import { type Community, openCommunity, withoutTriggers } from './support/community'

const DISGUISED = [
  'https://exam\u00adple.com',
  'https://example.com/\u200b',
  'https://example.com/\u202etxt.exe',
  'https://example.com/\u2066a\u2069',
  'https://google.com@example.com',
  'HTTPS://google.com:443@example.com/a',
]

let community: Community
const ids: string[] = []

// Members with websites from before the rule.
beforeAll(async () => {
  community = (await openCommunity()).community
  for (const [index, website] of DISGUISED.entries()) {
    const id = await community.join(`member_${index}`)
    await withoutTriggers(
      community,
      () => community.sql`update profiles set website = ${website} where id = ${id}`,
    )
    ids.push(id)
  }
})

const websiteOf = async (id: string) =>
  (await community.sql`select website from profiles where id = ${id}`)[0]?.website

describe('ACC-04 disguised websites', () => {
  test('those from before stay, and block no other change of their profile', async () => {
    for (const [index, id] of ids.entries()) {
      const website = DISGUISED[index]
      await community.as(id)`update profiles set bio = 'Changed' where id = ${id}`
      // As the form of the app saves it: all texts, changed or not.
      await community.as(id)`update profiles set bio = 'Saved', website = ${website} where id = ${id}`
      const others = await community.join(`other_${index}`)
      await community.as(others)`insert into follows (follower_id, following_id) values (${others}, ${id})`
      expect(await websiteOf(id)).toBe(website)
    }
  })

  test.each(DISGUISED)('%j is refused on insert and on update', async (website) => {
    const [id] = ids
    if (id === undefined) throw new Error('no member')
    const refusal = { code: 'PT422' }
    await community.as(id)`update profiles set website = 'https://example.com/user@host?a@b' where id = ${id}`
    await expect(
      community.as(id)`update profiles set website = ${website} where id = ${id}`,
    ).rejects.toMatchObject(refusal)
    const account = crypto.randomUUID()
    await community.sql('insert into auth.users (id, email) values ($1, $2)', [
      account,
      `${account}@example.com`,
    ])
    await expect(
      community.sql`insert into profiles (id, username, website) values (${account}, 'newcomer', ${website})`,
    ).rejects.toMatchObject(refusal)
    await community.sql`insert into profiles (id, username, website)
      values (${account}, ${account.replaceAll('-', '').slice(0, 20)}, 'https://example.com')`
  })

  test('the database has the same invisible characters as the app', async () => {
    const rows = await community.sql(
      `select code from (
         select generate_series(1, 55295) union all select generate_series(57344, 66000)
         union all select generate_series(113000, 120000) union all select generate_series(916000, 922000)
       ) as codes (code) where chr(code) ~ private.hidden_characters() order by code`,
    )
    const expected = Array.from({ length: 0x110000 }, (_, code) => code).filter(
      (code) =>
        (code < 0xd800 || code > 0xdfff) &&
        /\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(code)),
    )
    expect(rows.map(({ code }) => code)).toEqual(expected)
  })
})
