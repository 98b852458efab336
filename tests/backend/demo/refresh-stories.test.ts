import { expect, onTestFinished, test } from 'vitest'
import type { Session } from '#/backend/database/queries'
import { scheduleDemoRefresh } from '#/backend/demo/refresh-stories'

test('a demo whose stories cannot be refreshed starts all the same, and logs why', async () => {
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
