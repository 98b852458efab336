import { expect, test } from 'vitest'
import { createUploadProgress } from '#/main/notifications/upload-progress'

function createTestProgress() {
  const calls: unknown[][] = []
  const state = { isGone: false }
  const window = { setProgressBar: (...args: unknown[]) => calls.push(args) }
  const progress = createUploadProgress(() => (state.isGone ? null : window))
  return { ...progress, show: progress.handlers['uploads.show'], calls, state }
}

test('DESK-19 shows the fraction, says when it waits, and removes the bar at the end', () => {
  const { show, calls } = createTestProgress()
  show({ fraction: 0.25, isWaiting: false })
  show({ fraction: 0.25, isWaiting: true })
  show(null)
  expect(calls).toEqual([[0.25, { mode: 'normal' }], [0.25, { mode: 'paused' }], [-1]])
})

test('touches nothing before the first upload, and again after the last', () => {
  const { show, reapply, pageLeft, calls } = createTestProgress()
  show(null)
  reapply()
  pageLeft()
  expect(calls).toEqual([])
  show({ fraction: 1, isWaiting: false })
  reapply()
  pageLeft()
  pageLeft()
  reapply()
  expect(calls).toEqual([[1, { mode: 'normal' }], [1, { mode: 'normal' }], [-1]])
})

test('does nothing once the window is gone', () => {
  const { show, pageLeft, calls, state } = createTestProgress()
  show({ fraction: 0.5, isWaiting: false })
  state.isGone = true
  pageLeft()
  show({ fraction: 0.5, isWaiting: false })
  expect(calls).toHaveLength(1)
})
