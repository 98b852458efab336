import { expect, test } from 'vitest'
import { closeDrafts, openDrafts } from '#/renderer/features/messages/drafts-store'
import {
  editMessage,
  finishSaving,
  forgetEdits,
  hasEdits,
  startSaving,
  stopEditing,
  useEditing,
} from '#/renderer/features/messages/editing-store'
import type { Message } from '#/renderer/features/messages/message'
import { storageKeyPrefix } from '#/renderer/lib/local/local-storage'
import { callHook } from '#tests/renderer/dom'

const message = { id: 'm', conversation_id: 'c', content: 'Low tide' } as Message
const prefix = (me: string) => storageKeyPrefix('draft', me)
const text = () => callHook(() => useEditing('c'))?.text

test('AUTH-11 MSG-14 the edit of a message stays when its member signs out, and another member does not see it', () => {
  openDrafts('ana')
  editMessage(message)
  expect([text(), hasEdits(prefix('ana'))]).toEqual(['Low tide', false])
  editMessage(message, 'High tide')
  closeDrafts('ana')
  openDrafts('ben')
  expect([text(), hasEdits(prefix('ben')), hasEdits(prefix('ana'))]).toEqual([undefined, false, true])
  closeDrafts('ben')
  openDrafts('ana')
  expect(text()).toBe('High tide')
  stopEditing(message)
  expect([text(), hasEdits(prefix('ana'))]).toEqual([undefined, false])
  editMessage(message, 'High tide')
  forgetEdits(prefix('ana'))
  expect(text()).toBe(undefined)
})

test('MSG-14 an edit that goes on while it is saved stays open', () => {
  openDrafts('ana')
  const first = startSaving(message, 'High tide')
  editMessage(message, 'Low tide, then high')
  finishSaving(first)
  expect(text()).toBe('Low tide, then high')
  finishSaving(startSaving(message, 'Low tide, then high'))
  expect(text()).toBeUndefined()
})
