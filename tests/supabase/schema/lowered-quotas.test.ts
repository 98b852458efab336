import { expect, onTestFinished, test } from 'vitest'
import { openEarlier } from './support/earlier-database'

/** The last migrations of 0.1. */
const LAST = '20261130000001'

for (const [how, set, expected] of [
  ['as they were', {}, { video_bytes: 2_000_000_000, video_upload_bytes: 2_500_000_000 }],
  [
    'lowered, so videos are too',
    { media_bytes: 100_000_000, upload_bytes: 40_000_001 },
    { video_bytes: 400_000_000, video_upload_bytes: 500_000_013 },
  ],
  [
    'without limits',
    { media_bytes: null, upload_bytes: null },
    { video_bytes: null, video_upload_bytes: null },
  ],
] as const)
  test(`MEDIA-01 an upgrade makes the quotas of videos from those of all media, ${how}`, {
    // The migration has landed.
    tags: 'long',
  }, async () => {
    const earlier = await openEarlier(LAST)
    onTestFinished(() => earlier.close())
    for (const [kind, bytes] of Object.entries(set))
      await earlier.sql`update private.quotas set per_day = ${bytes} where kind = ${kind}`
    await earlier.upgrade()
    const rows = await earlier.sql(`select kind, per_day from private.quotas where kind like 'video%'`)
    const quotas = rows.map(({ kind, per_day }) => [kind, per_day === null ? null : Number(per_day)])
    expect(Object.fromEntries(quotas)).toEqual(expected)
  })
