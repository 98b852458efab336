import { useMutation } from '@tanstack/react-query'
import { useMe } from '#/renderer/features/auth'
import { openConversation, sendMessage } from '#/renderer/features/messages'
import type { Story } from '../queries'

interface Reply {
  id: string
  text: string
}

/** Sends a reply or reaction as a message of the two, which shows the story it answers (STORY-05). */
export function useSendReplyMutation(story: Story) {
  const { id: me } = useMe()
  return useMutation({
    mutationFn: async ({ id, text }: Reply) => {
      const conversation_id = await openConversation(me, story.user_id)
      return sendMessage({ conversation_id, content: text.trim(), story_id: story.id }, id)
    },
    meta: { action: 'answer story' },
  })
}
