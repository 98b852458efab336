import { QueryClient, type QueryKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { isOfDeletedConversation } from '#/renderer/features/messages/deleted'
import { conversationKeys, messageKeys } from '#/renderer/features/messages/keys'
import { goneConversation } from '#/renderer/features/messages/model/conversation'

test('FEED-18 a deleted conversation, its messages and a list with it are not stored', () => {
  const client = new QueryClient()
  const gone = goneConversation('gone', null)
  const data: [QueryKey, unknown][] = [
    [conversationKeys.one('gone'), gone],
    [messageKeys.history('gone'), { messages: [], hasOlder: false }],
    [messageKeys.photos('gone'), { pages: [], pageParams: [] }],
    [conversationKeys.unlisted(['a', 'gone']), [{ ...gone, id: 'a', isGone: false }, gone]],
    [conversationKeys.one('a'), { ...gone, id: 'a', isGone: false }],
    [conversationKeys.one('hidden'), null],
    [messageKeys.history('a'), { messages: [], hasOlder: false }],
    [messageKeys.history('hidden'), { messages: [], hasOlder: false }],
    [conversationKeys.list('inbox'), { pages: [], pageParams: [] }],
    [['posts', 'one', 'gone'], gone],
  ]
  for (const [key, value] of data) client.setQueryData(key, value)
  const deleted = data.filter(([queryKey]) => {
    const query = client.getQueryCache().find({ queryKey })
    return query !== undefined && isOfDeletedConversation(client, query)
  })
  expect(deleted).toEqual(data.slice(0, 4))
  client.clear()
})
