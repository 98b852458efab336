import { RealtimeClient } from '@supabase/realtime-js'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { emitIdsChange } from '#/renderer/lib/live/row-changes-store'
import { openApp } from '#tests/renderer/app/open-app'
import { fakeServer, signIn } from '#tests/renderer/fake-server'
import { type Conversations, fakeConversations, field } from './conversations'

let conversations: Conversations

beforeEach(() => {
  conversations = fakeConversations(fakeServer())
  signIn()
})

/** Opens a conversation and waits until its room is joined. Returns its id and the rooms that are joined, by their epochs. */
async function openConversation() {
  const channels = vi.spyOn(RealtimeClient.prototype, 'channel')
  const timers = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => void vi.restoreAllMocks())
  const id = conversations.add('otto', ['Are you there?'])
  openApp(`/messages?c=${id}`)
  await field()
  const rooms = () =>
    channels.mock.calls.flatMap(([topic]) => (topic.startsWith(`room:${id}:`) ? [topic.split(':')[2]] : []))
  await vi.waitFor(() => expect(rooms()).toEqual(['0']))
  return { id, rooms, waits: () => timers.mock.calls.map(([, milliseconds]) => milliseconds) }
}

test('MSG-10 a conversation that has another epoch is read after a random part of five seconds, and its next room is joined', async () => {
  const { id, rooms, waits } = await openConversation()
  vi.spyOn(Math, 'random').mockReturnValue(0.025)
  conversations.raiseEpoch(id)
  emitIdsChange('conversations', { type: 'UPDATE', ids: [id] })
  expect(waits()).toContain(125)
  await vi.waitFor(() => expect(rooms()).toEqual(['0', '1']))
})

test('MSG-02 a conversation that is deleted is read at once', async () => {
  const { id, waits } = await openConversation()
  vi.spyOn(Math, 'random').mockReturnValue(0.025)
  emitIdsChange('conversations', { type: 'DELETE', ids: [id] })
  expect(waits()).not.toContain(125)
})
