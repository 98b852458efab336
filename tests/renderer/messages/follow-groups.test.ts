import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { followGroups } from '#/renderer/features/messages/lazy'
import { logFailure } from '#/renderer/lib/core/logger'
import { emitCaughtUp } from '#/renderer/lib/live/row-changes-store'

const topics = vi.hoisted(() => ({ stop: vi.fn(), follow: vi.fn() }))

vi.mock('#/renderer/features/messages/queries/group-topics', () => ({ followGroups: topics.follow }))

test('MSG-05 groups are followed once the live connection is there; after a failure, with the next connection', async () => {
  const cause = new Error('not loaded')
  topics.follow.mockImplementationOnce(() => {
    throw cause
  })
  topics.follow.mockReturnValue(topics.stop)
  const stop = followGroups(new QueryClient())
  expect(topics.follow).not.toHaveBeenCalled()
  emitCaughtUp()
  await vi.waitFor(() => expect(logFailure).toHaveBeenCalledWith('load groups', cause))
  emitCaughtUp()
  await vi.waitFor(() => expect(topics.follow).toHaveBeenCalledTimes(2))
  emitCaughtUp()
  stop()
  expect(topics.stop).toHaveBeenCalledTimes(1)
  emitCaughtUp()
  expect(topics.follow).toHaveBeenCalledTimes(2)
})
