import { expect, onTestFinished, test } from 'vitest'
import type { Session } from '#/backend/database/queries'
import { scheduleDemoRefresh } from '#/backend/demo/refresh-stories'

test('the server starts although the demo stories cannot be refreshed, and logs why', async () => {
  const lines: string[] = []
  const pg = { query: () => Promise.reject(new Error('no such table')) } as unknown as Session
  onTestFinished(
    await scheduleDemoRefresh(
      pg,
      (work) => work(),
      (level, text) => lines.push(`${level} ${text}`),
    ),
  )
  expect(lines).toEqual([
    expect.stringMatching(/^warn The demo's stories could not be refreshed: .*no such table/),
  ])
})
