import { describe, expect, test } from 'vitest'
import { parseQuota, QuotaError, setQuotas } from '#/backend/database/quotas'
import { openCommunity, refusal } from '#tests/supabase/schema/support/community'

const { community, ada } = await openCommunity('ada')

describe('SAFE-06 quota options of the embedded server', () => {
  test('are parsed as limits per minute and per day', () => {
    expect(parseQuota('comments=30/1000')).toEqual({ kind: 'comments', perMinute: 30, perDay: 1000 })
    expect(parseQuota('posts=-/0')).toEqual({ kind: 'posts', perMinute: null, perDay: 0 })
    for (const text of ['comments', 'comments=30', 'comments=a/b', 'comments=-1/2', 'comments=/', '=1/2']) {
      expect(() => parseQuota(text)).toThrow(QuotaError)
    }
  })

  test('apply to the next statement, for one kind or for all', async () => {
    await setQuotas(community.pg, [parseQuota('all=-/0'), parseQuota('posts=1/-')])
    await community.post(ada, 'One a minute')
    await expect(community.post(ada, 'Two')).rejects.toEqual(refusal('PT429'))
    const report = community.as(
      ada,
      `insert into reports (reporter_id, member_id, reason) values ($1, gen_random_uuid(), 'spam')`,
      [ada],
    )
    await expect(report).rejects.toEqual(refusal('PT429'))
  })

  test('are rejected for unknown kinds', async () => {
    await expect(setQuotas(community.pg, [parseQuota('wishes=1/2')])).rejects.toThrow(
      new QuotaError('There is no quota for wishes'),
    )
  })
})
