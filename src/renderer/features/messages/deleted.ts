import type { Query, QueryClient } from '@tanstack/react-query'
import { conversationKeys, messageKeys } from './keys'

/** Whether a query has a conversation, or its messages, that the server has deleted: the member can read it until the page closes. */
export function isOfDeletedConversation(
  client: QueryClient,
  { queryKey, state }: Pick<Query, 'queryKey' | 'state'>,
): boolean {
  const [name, id] = queryKey
  if (name === messageKeys.histories[0]) return hasGone(client.getQueryData(conversationKeys.one(String(id))))
  return name === conversationKeys.all[0] && hasGone(state.data)
}

function hasGone(data: unknown): boolean {
  return [data]
    .flat()
    .some((each) => typeof each === 'object' && each !== null && 'isGone' in each && each.isGone === true)
}
