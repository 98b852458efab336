import { create } from 'zustand'
import { useMe } from '#/renderer/features/auth'

/** Comments that were begun, by member and post: a card that scrolls out of the list must not lose what was typed. */
const useDrafts = create<{ drafts: Record<string, string> }>(() => ({ drafts: {} }))

/** The begun comment of a post, and how to change it. */
export function useDraft(postId: string): [string, (text: string) => void] {
  const key = `${useMe().id}:${postId}`
  const draft = useDrafts((state) => state.drafts[key] ?? '')
  const setDraft = (text: string) =>
    useDrafts.setState(({ drafts }) => {
      const { [key]: _, ...others } = drafts
      return { drafts: text === '' ? others : { ...others, [key]: text } }
    })
  return [draft, setDraft]
}
