/** Whether a member has a draft of a story, which is in memory only. */
export async function hasStoryDraft(me: string): Promise<boolean> {
  return (await import('./story-draft-store')).hasStoryDraft(me)
}

export async function forgetStoryDraft(me: string): Promise<void> {
  ;(await import('./story-draft-store')).forgetStoryDraft(me)
}
