import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { messageKeys } from '#/renderer/features/messages/keys'
import type { History } from '#/renderer/features/messages/model/history'
import { reactionOf, useOwnReaction, useReactMutation } from '#/renderer/features/messages/mutations/messages'
import { gate } from '#tests/gate'
import { callHook } from '#tests/renderer/dom'
import { type FakeServer, fakeServer, ME, refusal, signIn } from '#tests/renderer/fake-server'
import { message, OTHER } from '../messages'

const THEIRS = { member_id: OTHER, emoji: '😂' }
const shown = message('m', 0, { reactions: [THEIRS] })
const CONFLICT = () => refusal(409, '23505', 'duplicate key value violates unique constraint')

let server: FakeServer
let client: QueryClient
beforeEach(() => {
  server = fakeServer()
  signIn()
  client = new QueryClient()
  client.setQueryData<History>(messageKeys.history('conversation'), { messages: [shown], hasOlder: false })
})

const known = () => client.getQueryData<History>(messageKeys.history('conversation'))?.messages[0]
const react = (emoji: '🔥' | '👍' | null) =>
  callHook(() => useReactMutation(known() ?? shown), client).mutateAsync(emoji)
const requests = () => server.calls.map(({ name, query, body }) => [name, query.toString(), body])

test('MSG-11 a reaction is an inserted row, shown at once and kept beside that of the other', async () => {
  const answered = gate()
  server.on('POST message_reactions', () => answered.opened)
  const storing = react('🔥')
  await vi.waitFor(() => expect(callHook(() => useOwnReaction(shown), client)).toBe('🔥'))
  expect(known()?.reactions).toEqual([THEIRS])
  answered.open()
  await storing
  expect(requests()).toEqual([
    ['POST message_reactions', '', { message_id: 'm', member_id: ME, emoji: '🔥' }],
  ])
  expect(known()?.reactions).toEqual([THEIRS, { member_id: ME, emoji: '🔥' }])
  expect([reactionOf(known() ?? shown, ME), reactionOf(known() ?? shown, OTHER)]).toEqual(['🔥', '😂'])
})

test('MSG-11 a second reaction changes the row', async () => {
  server.on('POST message_reactions', CONFLICT)
  server.on('PATCH message_reactions', () => ({ emoji: '👍' }))
  await react('👍')
  const [, changed] = requests()
  expect(changed).toEqual([
    'PATCH message_reactions',
    `message_id=eq.m&member_id=eq.${ME}&select=emoji`,
    { emoji: '👍' },
  ])
  expect(reactionOf(known() ?? shown, ME)).toBe('👍')
})

test('MSG-11 a reaction whose message was unsent meanwhile is refused, and the others stay', async () => {
  server.on('POST message_reactions', CONFLICT)
  server.on('PATCH message_reactions', () => refusal(406, 'PGRST116', 'no rows'))
  await expect(react('👍')).rejects.toMatchObject({ name: 'AppError' })
  expect(known()?.reactions).toEqual([THEIRS])
})

test('MSG-11 the chosen reaction, chosen again, deletes the row', async () => {
  server.on('POST message_reactions', () => null)
  await react('🔥')
  server.on('DELETE message_reactions', () => null)
  await react(null)
  expect(requests()[1]).toEqual(['DELETE message_reactions', `message_id=eq.m&member_id=eq.${ME}`, undefined])
  expect(known()?.reactions).toEqual([THEIRS])
})
