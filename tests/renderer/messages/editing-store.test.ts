import { expect, test } from 'vitest'
import { closeDrafts, openDrafts, setDraft } from '#/renderer/features/messages/drafts-store'
import {
  editMessage,
  failSaving,
  finishSaving,
  forgetEdits,
  hasEdits,
  startSaving,
  stopEditing,
  useEditing,
  useEdits,
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

test('MSG-14 an edit closes while it is saved, and a failure returns its text, beside what was typed meanwhile', () => {
  openDrafts('ana')
  const stages = () => callHook(() => useEdits('c')).map(({ stage, text, reason }) => [stage, text, reason])
  editMessage(message, 'High tide')
  const saved = startSaving(message, 'High tide')
  expect([text(), hasEdits(prefix('ana'))]).toEqual([undefined, true])
  failSaving(saved, 'Too late')
  expect(stages()).toEqual([['open', 'High tide', 'Too late']])

  const again = startSaving(message, 'High tide')
  setDraft('c', 'When?')
  failSaving(again, 'Too late')
  expect(stages()).toEqual([['failed', 'High tide', 'Too late']])
  editMessage({ ...message, content: 'Shown' })
  expect(stages()).toEqual([['open', 'High tide', 'Too late']])

  const first = startSaving(message, 'High tide')
  editMessage(message, 'Low tide, then high')
  finishSaving(first)
  expect(text()).toBe('Low tide, then high')
  finishSaving(startSaving(message, 'Low tide, then high'))
  expect(stages()).toEqual([])
})
